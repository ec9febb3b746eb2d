/** The scope that an OAuth call is about, and the role it requires. */
import { queryValue } from '../../exchange/index.js';
import { authorisationOf, codeKey } from '../../ledger/index.js';
import { parseScope, type Role, SCOPE_ROLES, sandboxCodeScope } from '../../spec/index.js';
import type { CallContext } from '../rule.js';
import { formOf, onceOf } from './parameters.js';

/** null where the scope is not known or says nothing. */
export function roleOfScope(scope: string | null): Role | null {
  const parsed = scope === null ? undefined : parseScope(scope);
  return parsed === undefined ? null : SCOPE_ROLES[parsed.service];
}

/** The scope of the code, refresh token or authorisation that the call names; null where nothing is known of it. */
export function scopeInQuestion({ call, ledger, fingerprint }: CallContext): string | null {
  if (call.operation === 'oauth.discovery')
    return (
      authorisationOf(ledger, queryValue(call, 'authorizationId') ?? '', call.tpp ?? undefined)?.scope ?? null
    );
  if (call.operation !== 'oauth.token') return null;
  const form = formOf(call);
  const code = onceOf(form, 'code');
  if (code !== undefined)
    return sandboxCodeScope(code) ?? ledger.codes.get(codeKey(code, fingerprint))?.scope ?? null;
  const refreshToken = onceOf(form, 'refresh_token');
  return refreshToken === undefined
    ? null
    : (ledger.refreshTokens.get(fingerprint(refreshToken))?.scope ?? null);
}
