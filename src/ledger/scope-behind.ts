/** What an OAuth call is about that says it by a code, a refresh token or an authorisation alone. */
import {
  type Call,
  type Exchange,
  type Fingerprint,
  formValue,
  namedResource,
  queryValue,
  resourceOfScope,
} from '../exchange/index.js';
import { sandboxCodeScope } from '../spec/index.js';
import type { Ledger } from './facts.js';
import { authorisationOf, codeKey, codeOf, ownerOf } from './keys.js';

/** The exchange with its `scope`, where it needs one and the ledger knows it; as it was before the exchange, or after. */
export function withScope(exchange: Exchange, ledger: Ledger, fingerprint: Fingerprint): Exchange {
  const { call } = exchange;
  if (call.operation?.startsWith('oauth.') !== true || namedResource(exchange) !== null) return exchange;
  const scope = scopeBehind(call, ledger, fingerprint);
  return typeof scope === 'string' && resourceOfScope(scope) !== null ? { ...exchange, scope } : exchange;
}

function scopeBehind(call: Call, ledger: Ledger, fingerprint: Fingerprint): string | null | undefined {
  if (call.operation === 'oauth.authorize')
    return authorisationOf(ledger, call.params.authorisationId ?? '')?.scope;
  if (call.operation === 'oauth.discovery')
    return authorisationOf(ledger, queryValue(call, 'authorizationId') ?? '')?.scope;
  const code = formValue(call.content, 'code');
  if (code !== undefined)
    return codeOf(ledger, codeKey(code, fingerprint), ownerOf(call))?.scope ?? sandboxCodeScope(code);
  const refresh = formValue(call.content, 'refresh_token');
  return refresh === undefined ? undefined : ledger.refreshTokens.get(fingerprint(refresh))?.scope;
}
