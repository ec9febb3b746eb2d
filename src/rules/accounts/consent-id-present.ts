import { consentIdOf } from '../checks/account-calls.js';
import { found } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/consent-id-present',
  statement: 'The Consent-Id header is present and not empty',
  clauses: ['accounts.headers'],
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.hasConsents,
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Without a consent the bank cannot tell what may be read.',
  fix: 'Send the header Consent-Id with the consentId of the creation.',
  examples: { complies: 'Consent-Id: VALID_CONSENT_ID', violates: 'no Consent-Id' },
  check: ({ call }) =>
    consentIdOf(call) !== undefined ||
    violation('header Consent-Id', 'the id of the consent', found(call, 'consent-id')),
});
