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
    'the sandbox id that has one': { call: second('VALID_CONSENT_ID') },
    'created implicitly, as a HAR file shows it': {
      call: second(CONSENT, { certificate: 'not-observed' }),
      ledger: ledgerOf(aConsent({ tpp: 'unobserved' })),
    },
  },
  notApplicable: { 'a read': { call: { operation: 'consents.read' } } },
  notObserved: {
    'a creation that was not seen': { call: second(CONSENT) },
    'a sandbox id in production': { call: second('VALID_CONSENT_ID'), options: production },
    'a sandbox id of another status': { call: second('CONSENT_ID_EXPIRED') },
  },
});
