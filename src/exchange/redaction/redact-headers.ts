/** Redacts header lists: credentials, cookies, and URLs that carry a code or token. */
import { isNothing } from '../../spec/index.js';
import { byHeaderName, changeHeaders } from '../headers.js';
import type { HeaderList } from '../wire.js';
import { redactHidden } from './redact-hidden.js';
import { redactWithin } from './redact-json.js';
import { redactDescription, redactMessage } from './redact-message.js';
import { MESSAGE_HEADERS, SECRET_HEADERS } from './redacted-fields.js';
import { type Redaction, redactSecret, redactSecretHere } from './redaction.js';

const HEADERS = [...SECRET_HEADERS, ...MESSAGE_HEADERS] as const;
type Secrecy = (typeof HEADERS)[number][1] | 'assignments';

const secrecyOfHeader = byHeaderName(
  (key): Secrecy => HEADERS.find(([pattern]) => pattern.test(key))?.[1] ?? 'assignments',
);

export const redactHeaders = (redaction: Redaction, headers: HeaderList): HeaderList =>
  changeHeaders(
    headers,
    (value, name) => redactValue(redaction, secrecyOfHeader(name), value),
    (name) => redactHidden(redaction, name),
  );

function redactValue(redaction: Redaction, secrecy: Secrecy, value: string): string {
  switch (secrecy) {
    case 'assignments':
      return redactWithin(redaction, value, false);
    case 'message':
      return redactMessage(redaction, redactWithin(redaction, value, false));
    case 'address':
      return redactDescription(redaction, redactWithin(redaction, value, false));
    case 'credentials':
      return redactCredentials(redaction, value);
    case 'cookies':
      return value
        .split(';')
        .map((pair) => redactCookie(redaction, pair))
        .join(';');
    case 'set-cookie': {
      const [pair = '', ...attributes] = value.split(';');
      return [redactCookie(redaction, pair), ...attributes].join(';');
    }
    case 'whole':
      return redactSecret(redaction, value);
  }
}

const SEVERAL_WORDS = /^$|\s/;
const SCHEME_ALONE = /^(?:bearer|basic|digest|dpop|negotiate)$/i;

/** The scheme stays, and how many words follow: that a client sends Basic where Bearer is asked, or undefined for a token, is worth knowing. */
function redactCredentials(redaction: Redaction, value: string): string {
  const space = value.indexOf(' ');
  if (space < 0) return SCHEME_ALONE.test(value) ? value : redactSecret(redaction, value);
  let start = space;
  while (value[start] === ' ') start += 1;
  const secret = value.slice(start);
  const made = SEVERAL_WORDS.test(secret)
    ? secret.replace(/\S+/g, (word) => redactWord(redaction, word))
    : redactWord(redaction, secret);
  return made === secret ? value : value.slice(0, start) + made;
}

const redactWord = (redaction: Redaction, word: string): string =>
  isNothing(word) ? word : redactSecret(redaction, word);

function redactCookie(redaction: Redaction, pair: string): string {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  if (value === '') return pair;
  return pair.slice(0, pair.lastIndexOf(value)) + redactSecretHere(redaction, value);
}
