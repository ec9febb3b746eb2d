/** The consent is one that this TPP created. */
import { consentOf } from '../../ledger/index.js';
import { ACCOUNT_CALLS, consentIdOf } from '../checks/account-calls.js';
import { acceptedSandboxConsent } from '../checks/sandbox-ids.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'accounts/consent-known',
  statement: 'The consent in the header was created by this TPP (or is a sandbox id)',
  clauses: ['accounts.headers', 'endpoint.accounts.list'],
  sources: ['BG'],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: ACCOUNT_CALLS,
  needs: ['tpp'],
  refusal: { code: 'CONSENT_UNKNOWN', status: 400 },
  why: 'A consent belongs to the TPP that created it; for any other it does not exist.',
  fix: 'Send the consentId of your own creation, with the certificate of the same organisation.',
  examples: {
    complies: 'Consent-Id: VALID_CONSENT_ID (sandbox)',
    violates: 'Consent-Id: C, where C was created by another organisation, or never',
  },
  check: ({ call, ledger, options }) => {
    const id = consentIdOf(call);
    if (id === undefined) return 'not-applicable';
    if (acceptedSandboxConsent(id, options) !== undefined) return true;
    if (consentOf(ledger, call.tpp, id) !== undefined) return true;
    // A recording that does not hold certificates may begin after the creation.
    if (call.certificate === 'not-observed') return 'not-observed';
    return { place: 'header Consent-Id', expected: 'a consent that this TPP created', actual: id };
  },
});
