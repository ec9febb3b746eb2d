import rule from '../../../src/rules/payments/currency-known.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const currency = (value: unknown) => ({ instructedAmount: { currency: value, amount: '1.00' } });
const PLACE = 'body instructedAmount.currency';

testRule(rule, {
  complies: {
    euro: { call: paymentWith({}) },
    'dollar across borders': { call: paymentWith(currency('USD'), CROSS_BORDER) },
    'the special drawing right': { call: paymentWith(currency('XDR'), CROSS_BORDER) },
    'dollar under an unknown product, which another rule judges': {
      call: paymentWith(currency('USD'), { params: { paymentProduct: 'target-2-payments' } }),
    },
  },
  violates: {
    'dollar in SEPA': { call: paymentWith(currency('USD')), finds: [{ place: PLACE, actual: 'USD' }] },
    'small letters': { call: paymentWith(currency('eur')), finds: [{ place: PLACE, actual: 'eur' }] },
    'a currency that is no more': { call: paymentWith(currency('DEM'), CROSS_BORDER) },
  },
  notApplicable: {
    none: { call: paymentWith(currency(undefined)) },
    'a number': { call: paymentWith(currency(978)) },
  },
});
