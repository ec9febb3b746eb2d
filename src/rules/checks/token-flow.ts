/** What a token request refers back to: its grant, the code, the authorize requests before it. */
import type { Fingerprint } from '../../exchange/index.js';
import {
  type AuthorizeFact,
  authorizesOf,
  type CodeFact,
  type Ledger,
  ownerOf,
  type RefreshTokenFact,
} from '../../ledger/index.js';
import { SANDBOX, sandboxCodeScope } from '../../spec/index.js';
import type { CallContext } from '../rule.js';
import { formOf, onceOf } from './parameters.js';

/** The value of a field of a request of that grant; undefined for another grant, or where it is missing or repeated. */
export function grantField(
  { call }: CallContext,
  grant: 'authorization_code' | 'refresh_token',
  name: string,
): string | undefined {
  const form = formOf(call);
  return onceOf(form, 'grant_type') === grant ? onceOf(form, name) : undefined;
}

export function codeFactOf(ledger: Ledger, code: string, fingerprint: Fingerprint): CodeFact | undefined {
  return ledger.codes.get(sandboxCodeScope(code) === undefined ? fingerprint(code) : code);
}

export function refreshTokenFactOf(
  ledger: Ledger,
  token: string,
  fingerprint: Fingerprint,
): RefreshTokenFact | undefined {
  return ledger.refreshTokens.get(fingerprint(token));
}

/**
 * The authorize requests of this client for the resource of the code; where the code is not known, for any resource.
 * One whose TPP is not known counts by its client_id.
 */
export function authorizesBefore(context: CallContext): AuthorizeFact[] {
  const { call, ledger, fingerprint } = context;
  const code = grantField(context, 'authorization_code', 'code');
  if (code === undefined) return [];
  const scope = sandboxCodeScope(code) ?? codeFactOf(ledger, code, fingerprint)?.scope ?? null;
  const all = scope === null ? [...ledger.authorizes.values()] : authorizesOf(ledger, scope);
  const owner = ownerOf(call);
  const client = onceOf(formOf(call), 'client_id');
  return all.filter((fact) => (fact.tpp === null ? fact.clientId === client : fact.tpp === owner));
}

/** Whether client_id is that of the certificate, as oauth/token-client-id has it; true where that cannot be told. */
export function isOwnClientId({ call, options }: CallContext, client: string): boolean {
  if (options.profile === 'sandbox' && client === SANDBOX.clientId) return true;
  return call.tpp === null || call.tpp.startsWith('cert:') || client === call.tpp;
}
