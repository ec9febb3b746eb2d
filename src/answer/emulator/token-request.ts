/** Reads token requests and answers tokens, for both banks. */
import type { Answer, Call } from '../../exchange/index.js';
import { GRANT_FIELDS, type GrantType } from '../../spec/index.js';
import { refuseToken } from '../answer-refusal.js';
import { answerJson } from '../render.js';

const NO_CACHE = [['Pragma', 'no-cache']] as const;
const OFFERED = Object.keys(GRANT_FIELDS).join(' and ');

export interface TokenRequest {
  readonly grant: GrantType;
  /** The first of each name; those that the grant needs are there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Or the answer where it cannot be read. */
export function readTokenRequest(call: Call): TokenRequest | Answer {
  if (call.content.kind !== 'form') return refuseToken(call, 'invalid_request', 'A form is expected.');
  const fields = tokenFields(call);
  const grant = fields.grant_type;
  if (grant === undefined) return refuseToken(call, 'invalid_request', 'grant_type is missing.');
  if (!isGrantType(grant))
    return refuseToken(call, 'unsupported_grant_type', `${grant} is not offered, ${OFFERED} are.`);
  const missing = GRANT_FIELDS[grant].find((name) => fields[name] === undefined);
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
  readonly refresh: string;
  readonly seconds: number;
  readonly scope: string;
}

export function answerTokens(call: Call, { access, refresh, seconds, scope }: Tokens): Answer {
  const value = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refresh,
    scope,
  };
  return answerJson(call, 'emulator', 200, value, NO_CACHE);
}
