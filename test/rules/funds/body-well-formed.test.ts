import rule from '../../../src/rules/funds/body-well-formed.js';
import { fundsWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'account and amount': { call: fundsWith({}) },
    'an account by another number': { call: fundsWith({ account: { bban: '1' } }) },
    'an amount as number, which another rule judges': {
      call: fundsWith({ instructedAmount: { currency: 'EUR', amount: 5 } }),
    },
  },
  violates: {
    'no account': { call: fundsWith({ account: undefined }), finds: [{ place: 'body account' }] },
    'an account without number': { call: fundsWith({ account: {} }), finds: [{ place: 'body account' }] },
    'no currency': {
      call: fundsWith({ instructedAmount: { amount: '5.00' } }),
      finds: [{ place: 'body instructedAmount.currency', actual: 'absent' }],
    },
    'no body at all': {
      call: { operation: 'funds-confirmations.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  },
  notApplicable: { 'a payment': { call: { operation: 'payments.create' } } },
});
