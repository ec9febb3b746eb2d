import rule from '../../../src/rules/funds/amount-well-formed.js';
import { fundsWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const amount = (value: unknown) => fundsWith({ instructedAmount: { currency: 'EUR', amount: value } });

testRule(rule, {
  complies: { 'two decimals': { call: amount('123.50') } },
  violates: {
    'a JSON number': {
      call: amount(5),
      finds: [{ place: 'body instructedAmount.amount', actual: '5 (a number)' }],
    },
    zero: { call: amount('0') },
  },
  notApplicable: { 'no amount': { call: amount(undefined) } },
});
