/** Tokens that a bank gives before any consent: what a creation needs, where the profile asks for it. */
import type { Answer, Call } from '../../exchange/index.js';
import type { Dialect } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import type { Bank, Moment } from './bank.js';

/** The scheme may be in any letter case (RFC 7235 2.1); empty where there is none. */
export function bearerIn({ header: { authorization = '' } }: Call): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}

/** Whether the call needs a token of the bank; one that is sent though it may be left out is looked at, too. */
export function asksForToken(call: Call, { isTokenFirst, headerIs, profile, offers }: Dialect): boolean {
  if (!offers('oauth.token')) return false;
  const isRequired = isTokenFirst || headerIs('authorization', call.operation) === 'required';
  return isRequired || (profile?.sca?.oauth === 'before' && bearerIn(call) !== '');
}

/** The refusal by the sandbox bank, which knows tokens from its ledger; null where the token is right, or none is asked for. */
export function refusalByToken(
  { links: { dialect }, fingerprint }: Bank,
  call: Call,
  { ledger, now }: Moment,
  service: 'AIS' | 'PIS',
  needsPsu = false,
): Answer | null {
  const bearer = bearerIn(call);
  const fact = bearer === '' ? undefined : ledger.tokens.get(fingerprint(bearer));
  const isOfNobody = needsPsu && fact?.ofClient === true;
  if (!isOfNobody && !asksForToken(call, dialect)) return null;
  const isKnown = fact !== undefined && fact.tpp === call.tpp;
  const isFor = fact !== undefined && dialect.servicesOf(fact.scope).has(service);
  const isRight = isFor && !isOfNobody;
  const isOver = fact !== undefined && now >= fact.expiresAt;
  const fault = !isKnown ? 'TOKEN_UNKNOWN' : !isRight ? 'TOKEN_INVALID' : isOver ? 'TOKEN_EXPIRED' : null;
  if (fault === null) return null;
  return refuse(call, fault, { headers: [['WWW-Authenticate', 'Bearer error="invalid_token"']] });
}
