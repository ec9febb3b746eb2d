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
  complies: [
    { name: 'a consent of this TPP', call: read(CONSENT), ledger: ledgerOf(aConsent()) },
    { name: 'a sandbox id', call: read('CONSENT_ID_EXPIRED') },
    {
      name: 'a sandbox id that was created, in production',
      call: read('VALID_CONSENT_ID'),
      ledger: ledgerOf(aConsent({ id: 'VALID_CONSENT_ID' })),
      options: production,
    },
  ],
  violates: [
    {
      name: 'made up',
      call: read('made-up'),
      finds: [{ place: 'path consentId', expected: 'a consent that this TPP created', actual: 'made-up' }],
    },
    { name: 'of another TPP', call: read(CONSENT), ledger: ledgerOf(aConsent({ tpp: OTHER_TPP })) },
    { name: 'a sandbox id in production', call: read('VALID_CONSENT_ID'), options: production },
    {
      name: 'made up, at its authorisations',
      call: { operation: 'consents.authorisations.list', params: { consentId: 'made-up' } },
    },
  ],
  notApplicable: [
    { name: 'a creation', call: { operation: 'consents.create' } },
    { name: 'no certificate, which another rule judges', call: read('made-up', { certificate: 'absent' }) },
  ],
  notObserved: [{ name: 'a HAR file', call: read(CONSENT, { certificate: 'not-observed' }) }],
});
