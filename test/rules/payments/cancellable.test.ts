import rule from '../../../src/rules/payments/cancellable.js';
import type { CallParts } from '../../builders.js';
import { aPayment, ledgerOf, PAYMENT } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const cancel = (paymentId: string): CallParts => ({ operation: 'payments.cancel', params: { paymentId } });

testRule(rule, {
  complies: {
    'a payment on its way': { call: cancel(PAYMENT), ledger: ledgerOf(aPayment({ status: 'ACSP' })) },
    'a sandbox id on its way': { call: cancel('PAYMENT_ID_RCVD_SCT') },
    'a sandbox id that was cancelled before, and keeps its status': {
      call: cancel('PAYMENT_ID_RCVD_SCT'),
      ledger: ledgerOf(aPayment({ id: 'PAYMENT_ID_RCVD_SCT', status: 'CANC' })),
    },
  },
  violates: {
    'a settled payment': {
      call: cancel(PAYMENT),
      ledger: ledgerOf(aPayment({ status: 'ACSC' })),
      finds: [{ place: 'path paymentId', actual: 'a payment in status ACSC' }],
    },
    'a cancelled one': { call: cancel(PAYMENT), ledger: ledgerOf(aPayment({ status: 'CANC' })) },
    'a rejected sandbox id': { call: cancel('PAYMENT_ID_RJCT_SCT') },
  },
  notApplicable: { 'a read': { call: { operation: 'payments.read' } } },
  notObserved: {
    'a payment that only the SCA told to be rejected': {
      call: cancel(PAYMENT),
      ledger: ledgerOf(aPayment({ status: 'RJCT', statusInferred: true })),
    },
    'a payment that was not seen': { call: cancel(PAYMENT) },
  },
});
