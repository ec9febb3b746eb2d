import { UNOBSERVED_TPP } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/accounts/consent-valid.js';
import { NOW } from '../../builders.js';
import { aConsent, aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const read = (id: string) => ({ operation: 'accounts.list' as const, headers: { 'Consent-Id': id } });

testRule(rule, {
  complies: {
    valid: { call: read('C1'), ledger: aLedger({ consents: aConsent() }) },
    'on its last day': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ validUntil: '2026-06-15' }) }),
    },
    'a valid sandbox id': { call: read('VALID_CONSENT_ID') },
    'a sandbox id, whatever was done to it': {
      call: read('VALID_CONSENT_ID'),
      ledger: aLedger({ consents: aConsent({ id: 'VALID_CONSENT_ID', status: 'terminatedByTpp' }) }),
    },
  },
  violates: {
    'not authorised': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ status: 'received' }) }),
      finds: [{ actual: 'a consent in status received', refusal: { code: 'CONSENT_INVALID' } }],
    },
    'deleted, in the sandbox': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ status: 'terminatedByTpp', deletedAt: 1 }) }),
      finds: [{ actual: 'a consent in status terminatedByTpp' }],
    },
    'revoked, in a recording without certificates': {
      call: { ...read('C1'), headers: BEARER, certificate: 'not-observed' },
      ledger: aLedger({ consents: aConsent({ tpp: UNOBSERVED_TPP, status: 'revokedByPsu' }) }),
    },
    'past its end': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ validUntil: '2026-06-14' }) }),
      finds: [{ actual: 'a consent that was valid until 2026-06-14', refusal: { code: 'CONSENT_EXPIRED' } }],
    },
    'an expired sandbox id': {
      call: read('CONSENT_ID_EXPIRED'),
      finds: [{ refusal: { code: 'CONSENT_EXPIRED' } }],
    },
    'a revoked sandbox id': {
      call: read('CONSENT_ID_REVOKED_BY_PSU'),
      finds: [{ refusal: { code: 'CONSENT_INVALID' } }],
    },
    'a sandbox id in production that was not authorised': {
      call: read('VALID_CONSENT_ID'),
      ledger: aLedger({ consents: aConsent({ id: 'VALID_CONSENT_ID', status: 'received' }) }),
      options: { profile: 'production' },
    },
  },
  notApplicable: {
    'an unknown consent': { call: read('C1') },
    'no consent id': { call: { operation: 'accounts.list' } },
    'a deleted one in production, which accounts/consent-not-ended names': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ status: 'terminatedByTpp', deletedAt: 1 }) }),
      options: { profile: 'production' },
    },
  },
  notObserved: {
    'not authorised as far as a recording tells, with a token that is in none of its entries': {
      call: { ...read('C1'), headers: BEARER, certificate: 'not-observed' },
      ledger: aLedger({ consents: aConsent({ tpp: UNOBSERVED_TPP, status: 'received' }) }),
    },
    'not authorised as far as is known, with a token of which nobody said what it is for': {
      call: { ...read('C1'), headers: BEARER },
      ledger: aLedger({ consents: aConsent({ status: 'received' }), tokens: aToken({ scope: '' }) }),
    },
    'seen to expire at a time that the clock was set back from': {
      call: read('C1'),
      ledger: aLedger({ consents: aConsent({ status: 'expired', statusAt: NOW + 86_400_000 }) }),
    },
    'an unknown consent in a recording without certificates': {
      call: { ...read('C1'), certificate: 'not-observed' },
    },
  },
});
