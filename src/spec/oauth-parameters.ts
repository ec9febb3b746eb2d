/**
 * Registered parameters of OAuth and OpenID Connect: a client may send them, and a bank ignores those it does not use.
 */

/** Of the IANA registry "OAuth Parameters" those that an authorization request can carry (RFC 6749 3.1 and 11.2). */
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
