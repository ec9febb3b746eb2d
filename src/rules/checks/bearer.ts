/** What the ledger knows of the access token of a call. */
import type { TokenFact } from '../../ledger/index.js';
import type { CallContext } from '../rule.js';

/** The token as it was issued through this gateway, or undefined. */
export function tokenOf({ call, ledger, fingerprint }: CallContext): TokenFact | undefined {
  const { bearer } = call.request;
  return bearer === null ? undefined : ledger.tokens.get(fingerprint(bearer));
}
