import rule from '../../../src/rules/payments/amount-well-formed.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const amount = (value: unknown) => paymentWith({ instructedAmount: { currency: 'EUR', amount: value } });
const PLACE = 'body instructedAmount.amount';

testRule(rule, {
  complies: {
    'two decimals': { call: amount('123.50') },
    none: { call: amount('5') },
    three: { call: amount('0.001') },
    'fourteen digits': { call: amount('99999999999999.99') },
  },
  violates: {
    'a JSON number': {
      call: amount(123.5),
      finds: [{ place: PLACE, expected: 'a string, such as "123.50"', actual: '123.5 (a number)' }],
    },
    'a decimal comma': { call: amount('123,50'), finds: [{ place: PLACE, actual: '"123,50"' }] },
    'thousands separators': { call: amount('1,000.00') },
    zero: { call: amount('0.00') },
    'a minus': { call: amount('-5.00') },
    'a plus': { call: amount('+5.00') },
    'fifteen digits': { call: amount('100000000000000') },
    'four decimals': { call: amount('1.0001') },
    'a dot without decimals': { call: amount('1.') },
    'an exponent': { call: amount('1e3') },
    'a currency': { call: amount('5.00 EUR') },
    'an empty text': { call: amount(''), finds: [{ actual: 'an empty string' }] },
  },
  notApplicable: {
    'no amount, which another rule judges': { call: amount(undefined) },
    'null, which counts as none': { call: amount(null) },
    'no instructedAmount': { call: paymentWith({ instructedAmount: undefined }) },
  },
});
