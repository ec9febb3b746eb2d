import rule from '../../../src/rules/payments/known-to-tpp.js';
import { type CallParts, OTHER_TPP } from '../../builders.js';
import { aPayment, ledgerOf, PAYMENT } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const read = (paymentId: string, parts: CallParts = {}): CallParts => ({
  operation: 'payments.read',
  params: { paymentId },
  ...parts,
});
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: {
    'a payment of this TPP': { call: read(PAYMENT), ledger: ledgerOf(aPayment()) },
    'a sandbox id': { call: read('PAYMENT_ID_ACSC_CBP') },
  },
  violates: {
    'made up': { call: read('made-up'), finds: [{ place: 'path paymentId', actual: 'made-up' }] },
    'a sandbox id of no status': { call: read('PAYMENT_ID_DONE_SCT') },
    'a sandbox consent': { call: read('VALID_CONSENT_ID') },
    'of another TPP': { call: read(PAYMENT), ledger: ledgerOf(aPayment({ tpp: OTHER_TPP })) },
    'a sandbox id in production': { call: read('PAYMENT_ID_ACSC_SCT'), options: production },
  },
  notApplicable: { 'an initiation': { call: { operation: 'payments.create' } } },
  notObserved: { 'a HAR file': { call: read(PAYMENT, { certificate: 'not-observed' }) } },
});
