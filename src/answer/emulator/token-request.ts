/** Reads token requests and answers tokens, for both banks. */
import type { Answer, Call } from '../../exchange/index.js';
import { type Dialect, GRANT_FIELDS, type GrantType, parseScope } from '../../spec/index.js';
import { refuseToken } from '../answer-refusal.js';
import { answerJson } from '../render.js';

const NO_CACHE = [['Pragma', 'no-cache']] as const;

export interface TokenRequest {
  readonly grant: GrantType | 'client_credentials';
  /** The first of each name; those that the grant needs are there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Or the answer where it cannot be read. */
export function readTokenRequest(call: Call, { profile }: Dialect): TokenRequest | Answer {
  if (call.content.kind !== 'form') return refuseToken(call, 'invalid_request', 'A form is expected.');
  const fields = tokenFields(call);
  const grant = fields.grant_type;
  if (grant === undefined) return refuseToken(call, 'invalid_request', 'grant_type is missing.');
  const { grants = [], optional = [] } = profile?.oauth ?? {};
  if (grant === 'client_credentials' && grants.includes(grant)) return { grant, fields };
  if (!isGrantType(grant)) {
    const offered = [...Object.keys(GRANT_FIELDS), ...grants].join(' and ');
    return refuseToken(call, 'unsupported_grant_type', `${grant} is not offered, ${offered} are.`);
  }
  const needed: readonly string[] = GRANT_FIELDS[grant];
  const missing = needed.find((name) => fields[name] === undefined && !optional.some((one) => one === name));
  if (missing !== undefined) return refuseToken(call, 'invalid_request', `${missing} is missing.`);
  return { grant, fields };
}

/** The first of each name; an empty value counts as absent (RFC 6749 3.2). None where the body is no form. */
export function tokenFields({ content }: Call): TokenRequest['fields'] {
  const fields: Record<string, string> = Object.create(null);
  if (content.kind !== 'form') return fields;
  for (const [name, value] of content.fields) if (value !== '') fields[name] ??= value;
  return fields;
}

function isGrantType(text: string): text is GrantType {
  return Object.hasOwn(GRANT_FIELDS, text);
}

interface Tokens {
  readonly access: string;
  /** Absent: of the client itself, which can ask again (RFC 6749 4.4.3). */
  readonly refresh?: string;
  readonly seconds: number;
  readonly scope: string;
}

/** The scope of a token of the client itself: as it asked, or all that name no consent or payment. */
export function clientScope({ fields }: TokenRequest, dialect: Dialect): string | null {
  const scope = fields.scope ?? dialect.clientScope;
  return dialect.isScope(scope) && dialect.parseScope(scope) === undefined ? scope : null;
}

/** The scope in the form of the bank. */
export function wireScope(scope: string, { writeScope }: Dialect): string {
  const resource = parseScope(scope);
  return resource === undefined ? scope : writeScope(resource);
}

export function answerTokens(call: Call, { access, refresh, seconds, scope }: Tokens): Answer {
  const value = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: seconds,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope,
  };
  return answerJson(call, 'emulator', 200, value, NO_CACHE);
}
