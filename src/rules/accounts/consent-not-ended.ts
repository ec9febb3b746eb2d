import { acceptedSandboxConsent, consentIdOf } from '../checks/account-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/consent-not-ended',
  statement:
    'The consent was not deleted by this TPP before (even if the bank, with its literal ids, still answers)',
  clauses: ['states.consent', 'endpoint.consents.delete'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.hasConsents,
  refusal: { code: 'CONSENT_INVALID' },
  why: 'For the PSU, the access has ended. Further reads have no consent.',
  fix: 'Stop all jobs of a consent before deleting it, and drop its tokens; create a new one to read again.',
  examples: {
    complies: 'DELETE …/consents/C, after the last read under C',
    violates: 'GET …/accounts with Consent-Id C, after DELETE …/consents/C',
  },
  check: ({ call, consent, token, options }) => {
    const id = consentIdOf(call);
    if (id === undefined) return 'not-applicable';
    if (consent === undefined) return 'not-observed';
    const { deletedAt } = consent;
    if (deletedAt === undefined) return true;
    const literal = acceptedSandboxConsent(id, options);
    // In the sandbox accounts/consent-valid names every consent but the literal one that stays valid, and as a must.
    const isNamed = literal === undefined ? consent.status === 'terminatedByTpp' : literal.status !== 'valid';
    if (options.profile === 'sandbox' && isNamed) return 'not-applicable';
    // The sandbox gave access again, without a creation: its literal codes always do.
    if (literal !== undefined && (token?.issuedAt ?? 0) > deletedAt) return 'not-observed';
    return violation(
      'header Consent-Id',
      'a consent that this TPP has not deleted',
      `a consent deleted at ${new Date(deletedAt).toISOString()}`,
    );
  },
});
