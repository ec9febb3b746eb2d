/** The one table of secret fields in calls and answers. */
import { isSandboxResource, sandboxCodeScope } from '../../spec/index.js';

/**
 * Headers by their name, lower case, and the part of the value that is secret: `credentials` all after the scheme,
 * `cookies` the value of each pair, `set-cookie` the value of the first pair, `whole` all of it. Proxies and clients
 * have names of their own for the same (X-Forwarded-Authorization, X-Refresh-Token), so the end of a name counts.
 */
export const SECRET_HEADERS = [
  [/(?:authori[sz]ation|authentication)$/, 'credentials'],
  [/set-cookie2?$/, 'set-cookie'],
  [/(?:^|[-_])cookie2?$/, 'cookies'],
  [
    /(?:^|[-_])(?:auth|token(?:[-_](?:value|hint))?|jwt|password|passwd|secret|credentials?|assertion)$/,
    'whole',
  ],
  // Proof of possession (RFC 9449): with the token that it belongs to, it is as good as the key.
  [/(?:^|[-_])dpop$/, 'whole'],
  [/(?:^|[-_])(?:pin|otp|tan|(?:api|access|subscription)[-_]?key)$/, 'whole'],
] as const satisfies readonly (readonly [RegExp, string])[];

/** Headers with a text on an error: all of the value, or the error_description of an address. */
export const MESSAGE_HEADERS = [
  [/^www-authenticate$/, 'message'],
  [/^location$/, 'address'],
] as const satisfies readonly (readonly [RegExp, string])[];

/**
 * Names of secret form fields, query parameters and JSON members at any depth. Case, `_` and `-` do not count:
 * `access_token` is `accessToken` too.
 */
const NAMES = [
  // OAuth 2.0 (RFC 6749, 7009, 7521, 7636, 8693), OpenID Connect
  'access_token',
  'refresh_token',
  'id_token',
  'token',
  'subject_token',
  'actor_token',
  'device_code',
  'code_verifier',
  'client_secret',
  'assertion',
  'client_assertion',
  'id_token_hint',
  'login_hint_token',
  'logout_token',
  'registration_access_token',
  'user_code',
  // what clients and banks call the like
  'auth_token',
  'session_token',
  'sca_token',
  'jwt',
  'secret',
  'api_key',
  'passwd',
  // credentials of the PSU (Berlin Group psuData, scaAuthenticationData, confirmationCode, and what banks call them)
  'psu_data',
  'password',
  'encrypted_password',
  'additional_password',
  'additional_encrypted_password',
  'psu_password',
  'sca_authentication_data',
  'confirmation_code',
  'authorisation_code',
  'authorization_code',
  'pin',
  'otp',
  'tan',
] as const;

/** The authorisation code: apart, because error messages have a member of that name that is no secret. */
export const CODE = 'code';

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
const secretNames = new Set(NAMES.map(plain));

export function secrecyOf(name: string): 'secret' | 'code' | undefined {
  const bare = plain(name);
  return bare === CODE ? 'code' : secretNames.has(bare) ? 'secret' : undefined;
}

/** Alternatives of a regular expression that finds the names, without the code. */
export const NAME_PATTERN = [...NAMES]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll('_', '[_-]?'))
  .join('|');

/** The last letters of the names, of the code too. */
export const NAME_ENDS: readonly string[] = [...new Set([CODE, ...NAMES].map((name) => name.slice(-3)))];

/** JSON members below which a `code` is the code of a message (domain: tppMessages, RFC 7807 bodies). */
export const MESSAGE_PARENTS: ReadonlySet<string> = new Set([
  'tppMessages',
  'additionalErrors',
  'errors',
  'error',
]);

/** Values printed in the specification are no secrets, wherever they stand. */
export function isPublic(value: string): boolean {
  return value === '' || sandboxCodeScope(value) !== undefined || isSandboxResource(value);
}
