import rule from '../../../src/rules/payments/body-well-formed.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const amount = (value: unknown) => ({ instructedAmount: { currency: 'EUR', amount: value } });

testRule(rule, {
  complies: {
    'the four fields': { call: paymentWith({}) },
    'optional and unknown ones too': { call: paymentWith({ requestedExecutionDate: '2026-06-16', x: 1 }) },
    'a bban across borders': { call: paymentWith({ creditorAccount: { bban: '123456' } }, CROSS_BORDER) },
    'an amount as number, which another rule judges': { call: paymentWith(amount(12.5)) },
    'an empty amount, which another rule judges': { call: paymentWith(amount('')) },
    'an IBAN that cannot be, which another rule judges': {
      call: paymentWith({ debtorAccount: { iban: 'X' } }),
    },
  },
  violates: {
    'no creditor name': {
      call: paymentWith({ creditorName: undefined }),
      finds: [{ place: 'body creditorName', actual: 'absent' }],
    },
    'an account as text': {
      call: paymentWith({ debtorAccount: 'BE68539007547034' }),
      finds: [{ place: 'body debtorAccount', expected: 'an object' }],
    },
    'an account without IBAN': {
      call: paymentWith({ creditorAccount: {} }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
    'a bban in a SEPA transfer': {
      call: paymentWith({ creditorAccount: { bban: '1' } }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
    'no amount': {
      call: paymentWith(amount(undefined)),
      finds: [{ place: 'body instructedAmount.amount', actual: 'absent' }],
    },
    'an amount that is null': {
      call: paymentWith(amount(null)),
      finds: [{ place: 'body instructedAmount.amount' }],
    },
    'no currency': {
      call: paymentWith({ instructedAmount: { amount: '1.00' } }),
      finds: [{ place: 'body instructedAmount.currency' }],
    },
    'a date as number': {
      call: paymentWith({ requestedExecutionDate: 20260616 }),
      finds: [{ place: 'body requestedExecutionDate' }],
    },
    'an account without any number across borders': {
      call: paymentWith({ debtorAccount: {} }, CROSS_BORDER),
      finds: [{ place: 'body debtorAccount' }],
    },
    'no body at all': {
      call: { operation: 'payments.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  },
  notApplicable: {
    'the body of a product that is not offered': {
      call: {
        operation: 'payments.create',
        params: { paymentService: 'bulk-payments' },
        body: { payments: [] },
      },
    },
    'a body that does not parse': { call: { operation: 'payments.create', body: '{' } },
  },
});
