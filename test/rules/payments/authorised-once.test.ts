import rule from '../../../src/rules/payments/authorised-once.js';
import type { CallParts } from '../../builders.js';
import { aPayment, ledgerOf, PAYMENT } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const second = (paymentId: string): CallParts => ({
  operation: 'payments.authorisations.create',
  params: { paymentId },
});

testRule(rule, {
  complies: {
    'created explicitly': { call: second(PAYMENT), ledger: ledgerOf(aPayment({ implicit: false })) },
    'created implicitly, and a second PSU has to agree': {
      call: second(PAYMENT),
      ledger: ledgerOf(aPayment({ status: 'PATC' })),
    },
    'the sandbox id for it': { call: second('PAYMENT_ID_PATC_SCT') },
  },
  violates: {
    'created implicitly': {
      call: second(PAYMENT),
      ledger: ledgerOf(aPayment()),
      finds: [{ place: 'path', actual: `a second authorisation of ${PAYMENT}` }],
    },
    'the sandbox id that has one': { call: second('PAYMENT_ID_RCVD_SCT') },
  },
  notApplicable: {
    'a read': { call: { operation: 'payments.read' } },
    'another product than that of the payment, which another rule judges': {
      call: {
        ...second(PAYMENT),
        params: { paymentId: PAYMENT, paymentProduct: 'cross-border-payments' },
      },
      ledger: ledgerOf(aPayment()),
    },
    'another product than that of the sandbox id': {
      call: {
        ...second('PAYMENT_ID_RCVD_SCT'),
        params: { paymentId: 'PAYMENT_ID_RCVD_SCT', paymentProduct: 'cross-border-credit-transfers' },
      },
    },
  },
  notObserved: {
    'authorised, and the bank has not said that one PSU is enough': {
      call: second(PAYMENT),
      ledger: ledgerOf(aPayment({ status: 'ACTC', statusInferred: true })),
    },
    'a creation that was not seen': { call: second(PAYMENT) },
    'a sandbox id of another status': { call: second('PAYMENT_ID_ACSC_SCT') },
    'a sandbox id in production': { call: second('PAYMENT_ID_RCVD_SCT'), options: { profile: 'production' } },
  },
});
