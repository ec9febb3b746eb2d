/** Looks up what a token request refers to: its grant, the code, and earlier authorization requests. */
import type { Call, Fingerprint } from '../../exchange/index.js';
import {
  type AuthorizeFact,
  type CodeFact,
  codeKey,
  codeOf,
  type Ledger,
  nameOf,
  ownerOf,
  type RefreshTokenFact,
} from '../../ledger/index.js';
import { GRANT_FIELDS, SANDBOX, sandboxCodeScope } from '../../spec/index.js';
import type { CallContext } from '../rule.js';
import { formOnce } from './parameters.js';

export function codeFactOf({ call, ledger, fingerprint }: CallContext, code: string): CodeFact | undefined {
  return codeOf(ledger, codeKey(code, fingerprint), ownerOf(call));
}

export function refreshTokenFactOf(
  ledger: Ledger,
  token: string,
  fingerprint: Fingerprint,
): RefreshTokenFact | undefined {
  return ledger.refreshTokens.get(fingerprint(token));
}

const TOKEN_FIELDS = ['grant_type', ...new Set(Object.values(GRANT_FIELDS).flat())];
const BESIDE_THEM = ['redirect_uri', 'scope', 'client_secret'];

/**
 * Fields of a token request that stand in the URL, where one that its grant needs is not in the body: one fault, which
 * oauth/token-parameters names.
 */
export function fieldsInUrl({ operation, request, content }: Call): readonly string[] {
  if (operation !== 'oauth.token' || request.query.length === 0) return NONE;
  if (content.kind !== 'form' && content.kind !== 'none') return NONE;
  const inBody = new Set(content.kind === 'form' ? content.fields.map(([name]) => name) : []);
  const inUrl = new Set(request.query.map(([name]) => name));
  if (!TOKEN_FIELDS.some((name) => inUrl.has(name) && !inBody.has(name))) return NONE;
  return [...TOKEN_FIELDS, ...BESIDE_THEM].filter((name) => inUrl.has(name));
}

const NONE: readonly string[] = [];

/** This client's requests for the resource of the code, if it is known. The sandbox's literal codes serve several resources. */
export function authorizesBefore(context: CallContext): AuthorizeFact[] {
  const { call, ledger } = context;
  const code = formOnce(context.call, 'code');
  if (code === undefined) return [];
  const scopes = [codeFactOf(context, code)?.scope, sandboxCodeScope(code)].filter((scope) => scope != null);
  const owner = ownerOf(call);
  // Who began it is not known of all: then client_id tells.
  const clients = new Set([owner, formOnce(call, 'client_id')]);
  return [
    ...(owner === null ? [] : [nameOf.tpp(owner)]),
    ...[...clients].map((id) => nameOf.client(id ?? '')),
  ]
    .flatMap((name) => ledger.authorizes.all(name))
    .filter(({ scope }) => scopes.length === 0 || scopes.includes(scope))
    .sort((a, b) => a.at - b.at);
}

/**
 * Whether the authorization request that led to the code of the call went through here. Where it did not, one that is known
 * may be of another flow of this client: it can show that all is well, never that something is wrong. A literal code
 * comes again and again, and is known of the newest authorization request until it is exchanged.
 */
export function isOfKnownAuthorize(context: CallContext): boolean {
  const code = formOnce(context.call, 'code');
  const fact = code === undefined ? undefined : codeFactOf(context, code);
  if (fact === undefined || fact.issuedAt === null) return false;
  return fact.usedAt === null || sandboxCodeScope(fact.code) === undefined;
}

/** Whether any TPP may have sent the request: its flow had no known owner, and all say VALID_CLIENT_ID in the sandbox. */
export function isAnyones({ tpp, clientId }: AuthorizeFact): boolean {
  return tpp === null && clientId === SANDBOX.clientId;
}

/** Whether client_id is that of the certificate, as oauth/token-client-id has it; true where that cannot be told. */
export function isOwnClientId({ call, options }: CallContext, client: string): boolean {
  if (options.profile === 'sandbox' && client === SANDBOX.clientId) return true;
  return call.tpp === null || call.tpp.startsWith('cert:') || client === call.tpp;
}
