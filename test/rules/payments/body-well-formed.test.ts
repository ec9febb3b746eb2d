import rule from '../../../src/rules/payments/body-well-formed.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const amount = (value: unknown) => ({ instructedAmount: { currency: 'EUR', amount: value } });

testRule(rule, {
  complies: [
    { name: 'the four fields', call: paymentWith({}) },
    {
      name: 'optional and unknown ones too',
      call: paymentWith({ requestedExecutionDate: '2026-06-16', x: 1 }),
    },
    {
      name: 'a bban across borders',
      call: paymentWith({ creditorAccount: { bban: '123456' } }, CROSS_BORDER),
    },
    { name: 'an amount as number, which another rule judges', call: paymentWith(amount(12.5)) },
    { name: 'an empty amount, which another rule judges', call: paymentWith(amount('')) },
    {
      name: 'an IBAN that cannot be, which another rule judges',
      call: paymentWith({ debtorAccount: { iban: 'X' } }),
    },
  ],
  violates: [
    {
      name: 'no creditor name',
      call: paymentWith({ creditorName: undefined }),
      finds: [{ place: 'body creditorName', actual: 'absent' }],
    },
    {
      name: 'an account as text',
      call: paymentWith({ debtorAccount: 'BE68539007547034' }),
      finds: [{ place: 'body debtorAccount', expected: 'an object' }],
    },
    {
      name: 'an account without IBAN',
      call: paymentWith({ creditorAccount: {} }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
    {
      name: 'a bban in a SEPA transfer',
      call: paymentWith({ creditorAccount: { bban: '1' } }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
    {
      name: 'no amount',
      call: paymentWith(amount(undefined)),
      finds: [{ place: 'body instructedAmount.amount', actual: 'absent' }],
    },
    {
      name: 'an amount that is null',
      call: paymentWith(amount(null)),
      finds: [{ place: 'body instructedAmount.amount' }],
    },
    {
      name: 'no currency',
      call: paymentWith({ instructedAmount: { amount: '1.00' } }),
      finds: [{ place: 'body instructedAmount.currency' }],
    },
    {
      name: 'a date as number',
      call: paymentWith({ requestedExecutionDate: 20260616 }),
      finds: [{ place: 'body requestedExecutionDate' }],
    },
    {
      name: 'an account without any number across borders',
      call: paymentWith({ debtorAccount: {} }, CROSS_BORDER),
      finds: [{ place: 'body debtorAccount' }],
    },
    {
      name: 'no body at all',
      call: { operation: 'payments.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  ],
  notApplicable: [
    {
      name: 'the body of a product that is not offered',
      call: {
        operation: 'payments.create',
        params: { paymentService: 'bulk-payments' },
        body: { payments: [] },
      },
    },
    { name: 'a body that does not parse', call: { operation: 'payments.create', body: '{' } },
  ],
});
