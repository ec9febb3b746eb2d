/**
 * What stands where a token or an id belongs and is known to be something else. It follows from what was seen alone, so it
 * holds where the bank may know more than the gateway.
 */
import { isFingerprint } from '../../exchange/index.js';
import { consentOf, ownerOf, paymentOf } from '../../ledger/index.js';
import { isNothing, isPlaceholder } from '../../spec/index.js';
import type { CallContext } from '../rule.js';
import { acceptedSandboxConsent, consentIdOf } from './account-calls.js';

const inWords = (placeholder: string): string => `the placeholder ${placeholder}`;

/** Only for tokens of this TPP: nothing is revealed about those of others. */
export function isRefreshTokenAsBearer({ call, ledger, token, fingerprint }: CallContext): boolean {
  const { bearer } = call.request;
  if (bearer === null || token !== undefined) return false;
  return ledger.refreshTokens.get(fingerprint(bearer))?.tpp === ownerOf(call);
}

export function mistakenBearer(context: CallContext): string | undefined {
  const { call, consent, ledger, token, fingerprint, options } = context;
  const { bearer } = call.request;
  if (bearer === null || token !== undefined) return undefined;
  if (isNothing(bearer)) return inWords(bearer);
  const { consentId, paymentId } = call.params;
  const owner = ownerOf(call);
  const known = [
    consent?.id,
    consentId === undefined ? undefined : consentOf(ledger, owner, consentId)?.id,
    paymentId === undefined ? undefined : paymentOf(ledger, owner, paymentId)?.id,
    options.dialect.parseScope(tokenInConsentId(context)?.scope ?? '')?.id,
  ];
  // The kind of an unseen id is unknown.
  const isBearer = (id: string | undefined): boolean =>
    id !== undefined && (id === bearer || (isFingerprint(bearer) && fingerprint(id) === bearer));
  return known.some(isBearer) ? 'the id of a consent or payment' : undefined;
}

export function mistakenConsentId(context: CallContext): string | undefined {
  const { call, consent, ledger, options } = context;
  const id = consentIdOf(call);
  if (id === undefined || consent !== undefined) return undefined;
  if (acceptedSandboxConsent(id, options) !== undefined) return undefined;
  if (isPlaceholder(id)) return inWords(id);
  if (id.includes(', ')) return 'several values';
  if (paymentOf(ledger, ownerOf(call), id) !== undefined) return `the id of a payment, ${id}`;
  return tokenInConsentId(context) === undefined ? undefined : 'an access token';
}

export function mistakenInPath({ call, ledger }: CallContext): string | undefined {
  const { consentId, paymentId } = call.params;
  const id = consentId ?? paymentId;
  if (id === undefined) return undefined;
  const [own, other, kind] =
    consentId === undefined
      ? ([paymentOf, consentOf, 'a consent'] as const)
      : ([consentOf, paymentOf, 'a payment'] as const);
  const owner = ownerOf(call);
  if (own(ledger, owner, id) !== undefined) return undefined;
  if (isPlaceholder(id)) return inWords(id);
  return other(ledger, owner, id) === undefined ? undefined : `the id of ${kind}, ${id}`;
}

function tokenInConsentId({ call, ledger, fingerprint, consent }: CallContext) {
  const sent = consentIdOf(call);
  if (sent === undefined || consent !== undefined) return undefined;
  const fact = ledger.tokens.get(fingerprint(sent));
  return fact?.tpp === ownerOf(call) ? fact : undefined;
}
