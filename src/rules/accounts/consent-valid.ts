import { hidesCaller } from '../../ledger/index.js';
import { bankDateAt, CONSENT_STATUSES } from '../../spec/index.js';
import { acceptedSandboxConsent, consentIdOf } from '../checks/account-calls.js';
import { type CallContext, defineRule, type Violation } from '../rule.js';

function notValid(status: string): Violation {
  return {
    place: 'header Consent-Id',
    expected: 'a consent in status valid',
    actual: `a consent in status ${status}`,
    refusal: { code: status === 'expired' ? 'CONSENT_EXPIRED' : 'CONSENT_INVALID' },
  };
}

/** Whether the SCA may have gone past, and what was last known of the consent says nothing: where no token comes of it, nobody need ask. */
function mayBeAuthorised({ call, token, options }: CallContext): boolean {
  if (options.dialect.oauth !== 'within') return true;
  return token === undefined ? hidesCaller(call) : token.scope === '';
}

export default defineRule({
  id: 'accounts/consent-valid',
  statement: 'The consent is in status valid and not past validUntil',
  clauses: ['states.consent', 'consent-duration', 'limits.2'],
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.hasConsents,
  refusal: { code: 'CONSENT_INVALID' },
  why: 'Only a consent that the PSU has authorised, and that has not ended, gives access.',
  fix: 'Let the PSU authorise the consent before the first read; create a new one when it has ended.',
  examples: {
    complies: 'a consent in status valid',
    violates: 'a consent in status received, or past validUntil',
  },
  check: (context) => {
    const { call, consent, options } = context;
    const id = consentIdOf(call);
    if (id === undefined) return 'not-applicable';
    // A literal sandbox id keeps its status whatever is done to it (reading delete-sandbox-ids), but for one: the
    // consent of an explicit creation waits for its authorisation, and once the PSU gave that it waits no more.
    const literal = acceptedSandboxConsent(id, options);
    if (literal?.status === 'valid') return true;
    if (literal !== undefined && !(literal.status === 'received' && consent?.status === 'valid'))
      return notValid(literal.status);
    if (consent === undefined) return call.certificate === 'not-observed' ? 'not-observed' : 'not-applicable';
    // That this TPP has deleted it is for accounts/consent-not-ended, which is as strict in production.
    if (
      consent.deletedAt !== undefined &&
      consent.status === 'terminatedByTpp' &&
      options.profile === 'production'
    )
      return 'not-applicable';
    if (!CONSENT_STATUSES[consent.status].final && mayBeAuthorised(context)) return 'not-observed';
    const isPast = consent.validUntil !== null && consent.validUntil < bankDateAt(call.at);
    // A clock that was set back: what time alone ended then has not ended now.
    if (consent.status === 'expired' && consent.statusAt > call.at && !isPast) return 'not-observed';
    if (consent.status !== 'valid') return notValid(consent.status);
    if (!isPast) return true;
    return { ...notValid('expired'), actual: `a consent that was valid until ${consent.validUntil}` };
  },
});
