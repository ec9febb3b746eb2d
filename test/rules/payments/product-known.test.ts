import rule from '../../../src/rules/payments/product-known.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const under = (params: Record<string, string>) => ({ call: paymentWith({}, { params }) });

testRule(rule, {
  complies: {
    'SEPA credit transfers': { call: paymentWith({}) },
    'cross-border payments': under({ paymentProduct: 'cross-border-payments' }),
    'their other spelling': under({ paymentProduct: 'cross-border-credit-transfers' }),
    'a read': { call: { operation: 'payments.status' } },
  },
  violates: {
    'a product that is not offered': {
      ...under({ paymentProduct: 'instant-sepa-credit-transfers' }),
      finds: [{ place: 'path paymentProduct', actual: 'instant-sepa-credit-transfers' }],
    },
    'a service that is not offered': {
      ...under({ paymentService: 'bulk-payments' }),
      finds: [{ place: 'path paymentService', expected: 'payments', actual: 'bulk-payments' }],
    },
    'an unknown product on a read': {
      call: { operation: 'payments.read', params: { paymentProduct: 'target-2-payments' } },
    },
    'a word that every object knows': under({ paymentProduct: 'constructor' }),
  },
  notApplicable: { 'a consent': { call: { operation: 'consents.create' } } },
});
