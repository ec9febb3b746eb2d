import { createLedger, keyOf } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/answers/status-moves-forward.js';
import type { ConsentStatus, PaymentStatus, ScaStatus } from '../../../src/spec/index.js';
import { TPP } from '../../builders.js';
import { testRule } from '../rule-tester.js';
import { aConsentFact, anAuthorisationFact, aPaymentFact } from './facts.js';

const CONSENT = 'c0ffee00-0000-4000-8000-000000000001';
const PAYMENT = 'c0ffee00-0000-4000-8000-000000000002';
const AUTHORISATION = 'abababab-0000-4000-8000-000000000001';

function consents(before: ConsentStatus, now: string, id = CONSENT) {
  return {
    call: { operation: 'consents.status', params: { consentId: id } } as const,
    answer: { body: { consentStatus: now } },
    ledger: createLedger([
      { family: 'consents', key: keyOf.resource(TPP, id), fact: aConsentFact({ id, status: before }) },
    ]),
  };
}

/** Deleted, and not read since: the bank has not said how it ended. */
function deleted(now: string) {
  const fact = aConsentFact({ id: CONSENT, status: 'terminatedByTpp', statusInferred: true, deletedAt: 1 });
  return {
    ...consents('valid', now),
    ledger: createLedger([{ family: 'consents', key: keyOf.resource(TPP, CONSENT), fact }]),
  };
}

function payments(before: PaymentStatus, now: string, id = PAYMENT) {
  return {
    call: { operation: 'payments.status', params: { paymentId: id } } as const,
    answer: { body: { transactionStatus: now } },
    ledger: createLedger([
      { family: 'payments', key: keyOf.resource(TPP, id), fact: aPaymentFact({ id, status: before }) },
    ]),
  };
}

function authorisations(before: ScaStatus, now: string) {
  return {
    call: {
      operation: 'consents.authorisations.read',
      params: { consentId: CONSENT, authorisationId: AUTHORISATION },
    } as const,
    answer: { body: { scaStatus: now } },
    ledger: createLedger([
      {
        family: 'authorisations',
        key: keyOf.authorisation(AUTHORISATION),
        fact: anAuthorisationFact({ status: before }),
      },
    ]),
  };
}

testRule(rule, {
  complies: {
    'a consent becomes valid': consents('received', 'valid'),
    'a consent is revoked': consents('valid', 'revokedByPsu'),
    'a consent that had ended was deleted all the same': consents('expired', 'terminatedByTpp'),
    'a consent that was deleted had ended before': deleted('expired'),
    'a consent stays ended': consents('expired', 'expired'),
    'a payment goes on': payments('ACTC', 'ACSP'),
    'a payment changes within its rank': payments('PDNG', 'PATC'),
    'a payment is rejected on its way': payments('ACSP', 'RJCT'),
    'a settled payment reaches the creditor': payments('ACSC', 'ACCC'),
    'an authorisation goes on': authorisations('psuIdentified', 'finalised'),
    'a sandbox id returns its fixed status after DELETE': {
      ...consents('terminatedByTpp', 'valid', 'VALID_CONSENT_ID'),
    },
    'and so does a sandbox payment': payments('CANC', 'RCVD', 'PAYMENT_ID_RCVD_SCT'),
  },
  violates: {
    'a revoked consent is valid again': {
      ...consents('revokedByPsu', 'valid'),
      finds: [
        { place: 'answer body consentStatus', expected: 'revokedByPsu, which is final', actual: 'valid' },
      ],
    },
    'a deleted consent is expired': consents('terminatedByTpp', 'expired'),
    'a deleted consent is valid': {
      ...deleted('valid'),
      finds: [{ expected: 'a status that is final: the consent was deleted', actual: 'valid' }],
    },
    'one end becomes another': consents('rejected', 'expired'),
    'a valid consent is received again': {
      ...consents('valid', 'received'),
      finds: [{ expected: 'valid, or what follows it' }],
    },
    'a payment falls back': payments('ACSP', 'ACTC'),
    'a settled payment is rejected': payments('ACSC', 'RJCT'),
    'a cancelled payment is settled': payments('CANC', 'ACSC'),
    'a failed authorisation is finalised': authorisations('failed', 'finalised'),
    'an authorisation falls back': authorisations('started', 'psuIdentified'),
    'a sandbox id in production is like any other': {
      ...consents('terminatedByTpp', 'valid', 'VALID_CONSENT_ID'),
      options: { profile: 'production' },
    },
    'a sandbox id leaves its fixed status': consents('expired', 'valid', 'CONSENT_ID_EXPIRED'),
  },
  notApplicable: {
    'nothing was known before': { ...consents('valid', 'received'), ledger: createLedger() },
    'only the SCA told that the payment is accepted, the bank has not said so yet': {
      ...payments('ACTC', 'RCVD'),
      ledger: createLedger([
        {
          family: 'payments',
          key: keyOf.resource(TPP, PAYMENT),
          fact: { ...aPaymentFact({ id: PAYMENT, status: 'ACTC' }), statusInferred: true },
        },
      ]),
    },
    'a status that nobody knows': consents('valid', 'VALID'),
    'an error': {
      ...consents('expired', 'valid'),
      answer: { status: 403, body: { consentStatus: 'valid' } },
    },
    'a creation begins a new life': {
      ...consents('expired', 'received'),
      call: { operation: 'consents.create' },
      answer: { status: 201, body: { consentStatus: 'received', consentId: CONSENT } },
    },
  },
});
