/** OAuth: scopes (§Authentication 3), which name the consent or payment, and the parameters that clients may send. */
import type { Role } from './operations.js';

/** Services of scopes, each with its role. PIIS is the family's form for funds confirmation. */
export const SCOPE_ROLES = { AIS: 'PSP_AI', PIS: 'PSP_PI', PIIS: 'PSP_IC' } as const satisfies Record<
  string,
  Role
>;

export interface Scope {
  readonly service: keyof typeof SCOPE_ROLES;
  readonly id: string;
}

export const scopeText = ({ service, id }: Scope): string => `${service}:${id}`;

export const consentScope = (id: string): string => `AIS:${id}`;

export const paymentScope = (id: string): string => `PIS:${id}`;

/** The scope for a path; null if it names neither a consent nor a payment. */
export function scopeInPath({ consentId, paymentId }: Readonly<Record<string, string>>): string | null {
  if (consentId !== undefined) return consentScope(consentId);
  return paymentId === undefined ? null : paymentScope(paymentId);
}

/** A scope taken apart: `AIS:VALID_CONSENT_ID`. Undefined where it has not that form. */
export function parseScope(scope: string): Scope | undefined {
  const colon = scope.indexOf(':');
  const service = scope.slice(0, colon);
  const id = scope.slice(colon + 1);
  if (!isService(service) || id === '' || /\s/.test(id)) return undefined;
  return { service, id };
}

const isService = (text: string): text is Scope['service'] => Object.hasOwn(SCOPE_ROLES, text);

/** Registered parameters of authorization requests (RFC 6749 3.1, 11.2). A bank ignores those that it does not use. */
export const OAUTH_PARAMETERS: ReadonlySet<string> = new Set([
  ...['scope', 'client_id', 'state', 'redirect_uri', 'response_type', 'response_mode'],
  ...['code_challenge', 'code_challenge_method'],
  // RFC 8707, 8693, 9396, 9449
  ...['resource', 'audience', 'authorization_details', 'dpop_jkt'],
  // RFC 9101, with the claims of a request object
  ...['request', 'request_uri', 'iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  // OpenID Connect Core
  ...['nonce', 'display', 'prompt', 'max_age', 'ui_locales', 'claims_locales', 'id_token_hint', 'login_hint'],
  ...['acr_values', 'claims', 'registration'],
  // OpenID Federation, for verifiable credentials and presentations
  ...['trust_chain', 'issuer_state', 'user_hint', 'wallet_issuer', 'wallet_nonce', 'client_metadata'],
  ...['presentation_definition', 'presentation_definition_uri', 'dcql_query', 'transaction_data'],
]);
