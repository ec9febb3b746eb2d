/** The detectors of `sandgate scan`, one function for each kind of finding. */
import { findIbans } from '../pseudonyms/ibans-in-text.js';
import { isPseudonym } from '../pseudonyms/pseudonyms.js';
import { findKeys } from '../redaction/key-material.js';
import { NAME_PATTERN, SECRET_HEADERS } from '../redaction/redacted-fields.js';
import { isUnmistakable } from '../redaction/secret-forms.js';
import { findJwts } from '../redaction/secret-values.js';
import type { Spot } from '../redaction/spot.js';
import { isHarmless, isHarmlessHost, PRINTED_IBANS } from './harmless.js';

/** `isHarmlessIban`: of those besides the printed ones; asked in capitals without blanks. */
export interface ScanOptions {
  readonly isHarmlessIban: (iban: string) => boolean;
}

type Detector = (text: string, options: ScanOptions) => Spot[];

const CREDENTIALS = /\b(Bearer|DPoP|Basic)\s+([\w.~+/-]{8,}=*)/gi;
const USERINFO = /:\/\/([^\s/?#@:"'<>]*):([^\s/?#@"'<>]+)@(?=[^\s"'<>])/g;
const EMAIL =
  /(?<![\w.+%-])([a-z0-9][\w.+-]{0,63})@((?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,24})(?![\w-]|\.[a-z0-9])/gi;
/** In JSON: what is quoted is a value, however short. */
const QUOTED = new RegExp(`"(${NAME_PATTERN}|code)"\\s*:\\s*"([^"\\\\\\n]{4,})"`, 'gi');
/** In a query or a form, in a header, in XML: only what can be no word. */
const ASSIGNED = new RegExp(`(?<![\\w-])(${NAME_PATTERN}|code)(=|:\\s*|>)([^\\s"'&<>,;(){}\\\\]{4,})`, 'gi');
const PAIR = /"name"\s*:\s*"([\w-]{2,64})"\s*,\s*"value"\s*:\s*"([^"\\\n]{4,})"/g;
/** A header of a name that is no field's, as a line, a member, or two entries of a list. */
const HEADER =
  /(?<![\w-])([\w-]{0,40}?(?:cookie2?|(?:api|access|subscription)[-_]?key))["']?\s*[:=,>]\s*["']?([^"'\n\r<>\\]{4,})/gi;
/** Cookies of a HAR, each with a name of its own. */
const COOKIES = /"cookies"\s*:\s*\[([^[\]]{0,65536})\]/g;
/** Whose values are words of a few letters too. */
const PASSWORD = /^(?:.*passw(?:or)?d|client_?secret|pin|otp|tan)$/i;

const spot = (kind: string, start: number, value: string): Spot => ({
  kind,
  start,
  value,
  end: start + value.length,
});

const findCredentials: Detector = (text) =>
  [...text.matchAll(CREDENTIALS)].flatMap(({ index, 0: whole, 1: scheme = '', 2: value = '' }) => {
    if (isHarmless(value)) return [];
    const start = index + whole.length - value.length;
    if (scheme.toLowerCase() === 'basic') {
      const clear = Buffer.from(value, 'base64').toString('latin1');
      return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(clear) ? [spot('password (Basic)', start, value)] : [];
    }
    return isUnmistakable(value) ? [spot('bearer token', start, value)] : [];
  });

const findPasswords: Detector = (text) =>
  [...text.matchAll(USERINFO)]
    .filter(({ 2: password = '' }) => !isHarmless(password))
    .map(({ index, 1: user = '', 2: password = '' }) =>
      spot('password in a URL', index + '://'.length + user.length + 1, password),
    );

const findEmails: Detector = (text) =>
  [...text.matchAll(EMAIL)]
    .filter(({ 1: user, 2: host = '' }) => !isHarmlessHost(host) && user !== 'git')
    .map(({ index, 0: found }) => spot('e-mail address', index, found));

const findRealIbans: Detector = (text, { isHarmlessIban }) =>
  findIbans(text)
    .filter(({ iban }) => !isPseudonym('iban', iban) && !PRINTED_IBANS.has(iban) && !isHarmlessIban(iban))
    .map(({ start, end, iban }) => ({ kind: 'IBAN', start, end, value: iban }));

const findNamed: Detector = (text) => {
  const spots: Spot[] = [];
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(QUOTED))
    if (isSecret(name, value, true)) spots.push(spot(name, index + whole.length - 1 - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: sign, 3: value = '' } of text.matchAll(ASSIGNED))
    if (isSecret(name, value, sign === '=' && /[?&]$/.test(text.slice(Math.max(0, index - 1), index))))
      spots.push(spot(name, index + whole.length - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(PAIR))
    if (SECRET_HEADERS.some(([pattern]) => pattern.test(name.toLowerCase())) && isSecretHeader(value))
      spots.push(spot(name, index + whole.length - 1 - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(HEADER))
    if (isSecretHeader(value)) spots.push(spot(name, index + whole.length - value.length, value));
  for (const { index, 0: whole, 1: list = '' } of text.matchAll(COOKIES))
    for (const pair of list.matchAll(PAIR)) {
      const [found, , value = ''] = pair;
      const start = index + whole.length - 1 - list.length + pair.index + found.length - 1 - value.length;
      if (isSecretHeader(value)) spots.push(spot('cookie', start, value));
    }
  return spots;
};

function isSecret(name: string, value: string, isValue: boolean): boolean {
  if (isHarmless(value)) return false;
  return isUnmistakable(value) || (isValue && PASSWORD.test(name.replaceAll('-', '_')));
}

/** A credential with its scheme is found as such; cookies are secret by the value of each pair. */
function isSecretHeader(value: string): boolean {
  const bare = value.replace(/^(?:Bearer|Basic|DPoP)\s+/i, '');
  if (bare !== value) return false;
  const values = value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return values.some((one) => !isHarmless(one) && isUnmistakable(one));
}

/** The first one that finds something at a place names it. */
export const DETECTORS: readonly Detector[] = [
  findKeys,
  findJwts,
  findCredentials,
  findNamed,
  findPasswords,
  findRealIbans,
  findEmails,
];
