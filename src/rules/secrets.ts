/** Redacts the texts of findings. */
import { type Answer, type Call, type Fingerprint, isUnmistakable, parametersOf } from '../exchange/index.js';
import { SCA_DATA, sandboxCodeScope } from '../spec/index.js';
import { memberAt } from './checks/request-body.js';

const LONGEST_TEXT = 200;
/** A shorter text stands in too many words by chance; it is replaced where it is the whole text. */
const SHORTEST_PART = 4;
const WORD = /^[a-z]{1,11}$/i;
const SCHEME_ALONE = /^(?:bearer|basic|digest|dpop|negotiate)$/i;

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'client_secret',
]);

/** Members with which a TPP sends what the PSU enters. */
const SCA_SECRETS = [...SCA_DATA.authentication, ...SCA_DATA.authorisation, ...SCA_DATA.confirmation];

/** The secret values of an exchange: tokens, codes, verifiers, cookies, credentials of the PSU. Sandbox codes are none. */
export function secretsOf(call: Call, answer: Answer | null): string[] {
  const secrets: string[] = [];
  const add = (value: unknown): void => {
    if (typeof value === 'string' && value !== '' && sandboxCodeScope(value) === undefined)
      secrets.push(value);
  };
  const { authorization, cookie } = call.header;
  if (authorization !== undefined && !SCHEME_ALONE.test(authorization))
    add(authorization.slice(authorization.indexOf(' ') + 1).trim());
  add(cookie);
  for (const [name, value] of call.request.query) if (SECRET_FIELDS.has(name)) add(value);
  if (call.content.kind === 'form')
    for (const [name, value] of call.content.fields) if (SECRET_FIELDS.has(name)) add(value);
  if (call.content.kind === 'json') for (const path of SCA_SECRETS) add(memberAt(call.content.value, path));
  if (answer !== null) addSecretsOfAnswer(answer, add);
  // The longest first, so that no part of one is left over by another.
  return secrets.sort((a, b) => b.length - a.length);
}

function addSecretsOfAnswer(answer: Answer, add: (value: unknown) => void): void {
  add(answer.header['set-cookie']);
  if (answer.content.kind === 'json' && typeof answer.content.value === 'object') {
    for (const [name, value] of Object.entries(answer.content.value ?? {}))
      if (SECRET_FIELDS.has(name)) add(value);
  }
  add(parametersOf(answer.header.location ?? '').get('code'));
}

/** The value found, with fingerprints for secrets, at most 200 characters long. */
export function cleanFound(text: string, secrets: readonly string[], fingerprint: Fingerprint): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_PART || WORD.test(secret)) {
      if (clean === secret) clean = fingerprint(secret);
    } else if (clean.includes(secret)) clean = clean.replaceAll(secret, () => fingerprint(secret));
    // A rule may have cut it already.
    else if (clean.length >= SHORTEST_PART * 2 && secret.includes(clean)) clean = fingerprint(secret);
  }
  return cutText(clean);
}

/** The rule's own words, a place or an expectation: a placeholder for a secret may be one of them. */
export function cleanWords(text: string, secrets: readonly string[], fingerprint: Fingerprint): string {
  let clean = text;
  for (const secret of secrets)
    if (isUnmistakable(secret)) clean = clean.replaceAll(secret, () => fingerprint(secret));
  return cutText(clean);
}

const cutText = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
