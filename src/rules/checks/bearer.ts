/** The access token of a call, and what the ledger knows of it. */
import type { Call } from '../../exchange/index.js';
import type { TokenFact } from '../../ledger/index.js';
import type { CallContext } from '../rule.js';

/** The token behind `Bearer` (RFC 6750 2.1; the scheme in any letter case); null where there is none. */
export function bearerOf(call: Call): string | null {
  const value = call.header.authorization;
  if (value === undefined || value.length < 8 || value.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  const token = value.slice(7).trim();
  return token === '' ? null : token;
}

/** The token as it was issued through this gateway, or undefined. */
export function tokenOf({ call, ledger, fingerprint }: CallContext): TokenFact | undefined {
  const token = bearerOf(call);
  return token === null ? undefined : ledger.tokens.get(fingerprint(token));
}
