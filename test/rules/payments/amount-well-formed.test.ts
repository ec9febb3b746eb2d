import rule from '../../../src/rules/payments/amount-well-formed.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const amount = (value: unknown) => paymentWith({ instructedAmount: { currency: 'EUR', amount: value } });
const PLACE = 'body instructedAmount.amount';

testRule(rule, {
  complies: [
    { name: 'two decimals', call: amount('123.50') },
    { name: 'none', call: amount('5') },
    { name: 'three', call: amount('0.001') },
    { name: 'fourteen digits', call: amount('99999999999999.99') },
  ],
  violates: [
    {
      name: 'a JSON number',
      call: amount(123.5),
      finds: [
        { place: PLACE, expected: 'a string, such as "123.50"', actual: '123.5 (a number), not a string' },
      ],
    },
    { name: 'a decimal comma', call: amount('123,50'), finds: [{ place: PLACE, actual: '"123,50"' }] },
    { name: 'thousands separators', call: amount('1,000.00') },
    { name: 'zero', call: amount('0.00') },
    { name: 'a minus', call: amount('-5.00') },
    { name: 'a plus', call: amount('+5.00') },
    { name: 'fifteen digits', call: amount('100000000000000') },
    { name: 'four decimals', call: amount('1.0001') },
    { name: 'a dot without decimals', call: amount('1.') },
    { name: 'an exponent', call: amount('1e3') },
    { name: 'a currency', call: amount('5.00 EUR') },
    { name: 'an empty text', call: amount(''), finds: [{ actual: 'an empty string' }] },
  ],
  notApplicable: [
    { name: 'no amount, which another rule judges', call: amount(undefined) },
    { name: 'null, which counts as none', call: amount(null) },
    { name: 'no instructedAmount', call: paymentWith({ instructedAmount: undefined }) },
  ],
});
