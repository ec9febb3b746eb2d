import rule from '../../../src/rules/payments/currency-known.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const currency = (value: unknown) => ({ instructedAmount: { currency: value, amount: '1.00' } });
const PLACE = 'body instructedAmount.currency';

testRule(rule, {
  complies: [
    { name: 'euro', call: paymentWith({}) },
    { name: 'dollar across borders', call: paymentWith(currency('USD'), CROSS_BORDER) },
    { name: 'the special drawing right', call: paymentWith(currency('XDR'), CROSS_BORDER) },
    {
      name: 'dollar under an unknown product, which another rule judges',
      call: paymentWith(currency('USD'), { params: { paymentProduct: 'target-2-payments' } }),
    },
  ],
  violates: [
    { name: 'dollar in SEPA', call: paymentWith(currency('USD')), finds: [{ place: PLACE, actual: 'USD' }] },
    { name: 'small letters', call: paymentWith(currency('eur')), finds: [{ place: PLACE, actual: 'eur' }] },
    { name: 'a currency that is no more', call: paymentWith(currency('DEM'), CROSS_BORDER) },
  ],
  notApplicable: [
    { name: 'none', call: paymentWith(currency(undefined)) },
    { name: 'a number', call: paymentWith(currency(978)) },
  ],
});
