import rule from '../../../src/rules/consents/known-to-tpp.js';
import { type CallParts, OTHER_TPP } from '../../builders.js';
import { aConsent, CONSENT, ledgerOf } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const read = (consentId: string, parts: CallParts = {}): CallParts => ({
  operation: 'consents.read',
  params: { consentId },
  ...parts,
});
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: {
    'a consent of this TPP': { call: read(CONSENT), ledger: ledgerOf(aConsent()) },
    'a sandbox id': { call: read('CONSENT_ID_EXPIRED') },
    'a sandbox id that was created, in production': {
      call: read('VALID_CONSENT_ID'),
      ledger: ledgerOf(aConsent({ id: 'VALID_CONSENT_ID' })),
      options: production,
    },
  },
  violates: {
    'made up': {
      call: read('made-up'),
      finds: [{ place: 'path consentId', expected: 'a consent that this TPP created', actual: 'made-up' }],
    },
    'of another TPP': { call: read(CONSENT), ledger: ledgerOf(aConsent({ tpp: OTHER_TPP })) },
    'a sandbox id in production': { call: read('VALID_CONSENT_ID'), options: production },
    'made up, at its authorisations': {
      call: { operation: 'consents.authorisations.list', params: { consentId: 'made-up' } },
    },
  },
  notApplicable: {
    'a creation': { call: { operation: 'consents.create' } },
    'no certificate, which another rule judges': { call: read('made-up', { certificate: 'absent' }) },
  },
  notObserved: { 'a HAR file': { call: read(CONSENT, { certificate: 'not-observed' }) } },
});
