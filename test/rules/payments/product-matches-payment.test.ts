import rule from '../../../src/rules/payments/product-matches-payment.js';
import type { CallParts } from '../../builders.js';
import { aPayment, ledgerOf, PAYMENT } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const read = (paymentId: string, paymentProduct: string): CallParts => ({
  operation: 'payments.read',
  params: { paymentId, paymentProduct },
});

testRule(rule, {
  complies: {
    'a sandbox id under its product': { call: read('PAYMENT_ID_RCVD_SCT', 'sepa-credit-transfers') },
    'one spelling': { call: read('PAYMENT_ID_PATC_CBP', 'cross-border-payments') },
    'the other': { call: read('PAYMENT_ID_PATC_CBP', 'cross-border-credit-transfers') },
    'as initiated': { call: read(PAYMENT, 'sepa-credit-transfers'), ledger: ledgerOf(aPayment()) },
    'initiated under the other spelling': {
      call: read(PAYMENT, 'cross-border-payments'),
      ledger: ledgerOf(aPayment({ product: 'cross-border-credit-transfers' })),
    },
  },
  violates: {
    'a sandbox id under another product': {
      call: read('PAYMENT_ID_RCVD_CBP', 'sepa-credit-transfers'),
      finds: [
        {
          place: 'path paymentProduct',
          expected: 'the product of PAYMENT_ID_RCVD_CBP: CBP',
          actual: 'sepa-credit-transfers',
        },
      ],
    },
    'a payment under another product': {
      call: read(PAYMENT, 'cross-border-payments'),
      ledger: ledgerOf(aPayment()),
      finds: [{ expected: `the product of ${PAYMENT}: sepa-credit-transfers` }],
    },
  },
  notApplicable: {
    'an unknown product, which another rule judges': {
      call: read('PAYMENT_ID_RCVD_SCT', 'target-2-payments'),
    },
  },
  notObserved: {
    'a payment that was not seen': { call: read(PAYMENT, 'sepa-credit-transfers') },
    'a payment of a product that is not known': {
      call: read(PAYMENT, 'sepa-credit-transfers'),
      ledger: ledgerOf(aPayment({ product: 'target-2-payments' })),
    },
  },
});
