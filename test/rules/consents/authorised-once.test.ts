import rule from '../../../src/rules/consents/authorised-once.js';
import type { CallParts } from '../../builders.js';
import { aConsent, CONSENT, ledgerOf } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const second = (consentId: string, parts: CallParts = {}): CallParts => ({
  operation: 'consents.authorisations.create',
  params: { consentId },
  ...parts,
});
const production = { profile: 'production' } as const;

testRule(rule, {
  complies: {
    'created explicitly': { call: second(CONSENT), ledger: ledgerOf(aConsent({ implicit: false })) },
    'created implicitly, and a second PSU has to agree': {
      call: second(CONSENT),
      ledger: ledgerOf(aConsent({ status: 'partiallyAuthorised' })),
    },
    'the sandbox id that waits for it': { call: second('CONSENT_ID_NO_AUTHORIZATION') },
    'a sandbox id that this TPP created explicitly': {
      call: second('VALID_CONSENT_ID'),
      ledger: ledgerOf(aConsent({ id: 'VALID_CONSENT_ID', implicit: false })),
    },
  },
  violates: {
    'created implicitly': {
      call: second(CONSENT),
      ledger: ledgerOf(aConsent()),
      finds: [{ place: 'path', actual: `a second authorisation of ${CONSENT}` }],
    },
    'authorised just now': {
      call: second(CONSENT, { at: 86_400_000 }),
      ledger: ledgerOf(aConsent({ status: 'valid', scaAt: 1, statusAt: 1 })),
    },
    'the sandbox id that has one': { call: second('VALID_CONSENT_ID') },
    'created implicitly, as a HAR file shows it': {
      call: second(CONSENT, { certificate: 'not-observed' }),
      ledger: ledgerOf(aConsent({ tpp: 'unobserved' })),
    },
  },
  notApplicable: { 'a read': { call: { operation: 'consents.read' } } },
  notObserved: {
    'authorised, and the bank has not said that one PSU is enough': {
      call: second(CONSENT),
      ledger: ledgerOf(aConsent({ status: 'valid', statusInferred: true })),
    },
    'authorised a week before: the bank may ask for an SCA again': {
      call: second(CONSENT),
      ledger: ledgerOf(aConsent({ status: 'valid', scaAt: 0 })),
    },
    'a creation that was not seen': { call: second(CONSENT) },
    'a sandbox id in production': { call: second('VALID_CONSENT_ID'), options: production },
    'a sandbox id of another status': { call: second('CONSENT_ID_EXPIRED') },
  },
});
