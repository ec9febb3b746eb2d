import rule from '../../../src/rules/funds/body-well-formed.js';
import { fundsWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'account and amount', call: fundsWith({}) },
    { name: 'an account by another number', call: fundsWith({ account: { bban: '1' } }) },
    {
      name: 'an amount as number, which another rule judges',
      call: fundsWith({ instructedAmount: { currency: 'EUR', amount: 5 } }),
    },
  ],
  violates: [
    { name: 'no account', call: fundsWith({ account: undefined }), finds: [{ place: 'body account' }] },
    {
      name: 'an account without number',
      call: fundsWith({ account: {} }),
      finds: [{ place: 'body account' }],
    },
    {
      name: 'no currency',
      call: fundsWith({ instructedAmount: { amount: '5.00' } }),
      finds: [{ place: 'body instructedAmount.currency', actual: 'absent' }],
    },
    {
      name: 'no body at all',
      call: { operation: 'funds-confirmations.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  ],
  notApplicable: [{ name: 'a payment', call: { operation: 'payments.create' } }],
});
