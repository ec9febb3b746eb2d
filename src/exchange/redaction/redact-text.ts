/** Redacts texts that hold secrets as `name=value` or `Bearer …`: queries, forms, and URLs within URLs. */
// Texts hold JSON, and JSON holds texts: these modules need each other.
import { decodePercent } from '../codings/codings.js';
import { redactHidden } from './redact-hidden.js';
import { namesSecret, redactWithin } from './redact-json.js';
import { NAME_ENDS, NAME_PATTERN, secrecyOf } from './redacted-fields.js';
import { isUnmistakable, type Redaction, redactSecret } from './redaction.js';

const NAMES = `code|${NAME_PATTERN}`;

/** Name and equals sign, plain or percent-encoded any number of times. */
const ASSIGNMENT = new RegExp(`(?:${NAMES})(?:=|%(?:25)*3D)`, 'i');

/**
 * By how often separator and equals sign are percent-encoded. Before the name stands the beginning, something that
 * is no part of a name, or a percent-escape; the value ends at the next separator of the same depth or less.
 */
const PLAIN_END = `[&#\\s"'<>\\\\]`;
const BY_DEPTH = [0, 1, 2, 3].map((depth) => {
  const percent = `%${'25'.repeat(Math.max(0, depth - 1))}`;
  const equals = depth === 0 ? '=' : `${percent}3D`;
  const ends = Array.from({ length: depth }, (_, i) => `%${'25'.repeat(i)}2[36]`).join('|');
  const value = depth === 0 ? `[^&#\\s"'<>\\\\]*` : `(?:(?!${ends}|${PLAIN_END})[^])*`;
  return new RegExp(`(^|[^\\w.~%-]|%(?:25)*[0-9A-F]{2})(${NAMES})(${equals})(${value})`, 'gi');
});

const HINT = /[=%@]|bearer\s/i;

const BEARER = /\b(Bearer\s+)([\w.~+/-]{8,}=*)/gi;
export const holdsBearer = (text: string): boolean =>
  [...text.matchAll(BEARER)].some(({ 2: token = '' }) => isUnmistakable(token));

/** A password in the authority of a URL (RFC 3986 3.2.1). */
const USERINFO = /(:\/\/[^\s/?#@:]*:)([^\s/?#@]+)(?=@)/g;
/** A secret name with its value in JSON-like, XML-like or header-like text. */
const NAMED = new RegExp(`\\b((?:${NAME_PATTERN})["']?\\s*[:=>]\\s*["']?)([^\\s"'&<>,;}]{4,})`, 'gi');
/** The same in JSON that stands in a string of JSON. */
const ESCAPED = new RegExp(`\\b((?:${NAME_PATTERN})\\\\+["']\\s*:\\s*\\\\+["'])([^"'\\\\]+)`, 'gi');
const QUOTED = new RegExp(`\\b((?:${NAME_PATTERN})["']?\\s*[:=]\\s*)"((?:[^"\\\\]|\\\\.)+)"`, 'gi');
/** The content of an XML element of such a name, whatever its namespace and attributes. */
const ELEMENT = new RegExp(
  `(<(?:[\\w.-]+:)?(?:${NAME_PATTERN})(?:\\s[^<>]*)?>\\s*(?:<!\\[CDATA\\[)?)([^<>\\]\\s](?:[^<>\\]]*[^<>\\]\\s])?)`,
  'gi',
);

/** URLs and other texts with secrets in them. The usual text without any is given back as it is. */
export function redactAssignments(redaction: Redaction, text: string): string {
  return redactHidden(redaction, HINT.test(text) ? redactNamed(redaction, text) : text);
}

function redactNamed(redaction: Redaction, text: string): string {
  // A challenge (RFC 6750 3) has a parameter where a credential has its token.
  let redacted = text.replace(BEARER, (whole, scheme: string, token: string) =>
    isUnmistakable(token) ? scheme + redactSecret(redaction, token) : whole,
  );
  if (redacted.includes('@'))
    redacted = redacted.replace(
      USERINFO,
      (_, before: string, password: string) => before + redactSecret(redaction, password),
    );
  if (ENCODED_JSON.test(redacted)) redacted = redactEncodedJson(redaction, redacted);
  if (!ASSIGNMENT.test(redacted)) return redacted;
  for (const [depth, pattern] of BY_DEPTH.entries()) {
    if (depth > 0 && !/%(?:25)*3D/i.test(redacted)) break;
    redacted = redacted.replace(
      pattern,
      (whole, before: string, name: string, equals: string, raw: string) => {
        const made = redactEncoded(redaction, raw, depth + 1);
        return made === null ? whole : before + name + equals + made;
      },
    );
  }
  return redacted;
}

const ENCODED_JSON = /%(?:25)*[57]B/i;

/** JSON by how often it is percent-encoded: from its first bracket to the next separator of a lesser depth. */
const JSON_BY_DEPTH = [1, 2, 3].map((depth) => {
  const ends = Array.from({ length: depth - 1 }, (_, i) => `%${'25'.repeat(i)}2[36]`);
  return new RegExp(`%${'25'.repeat(depth - 1)}[57]B(?:(?!${[...ends, PLAIN_END].join('|')})[^])*`, 'gi');
});

function redactEncodedJson(redaction: Redaction, text: string): string {
  let redacted = text;
  for (const [i, pattern] of JSON_BY_DEPTH.entries()) {
    redacted = redacted.replace(pattern, (run) => {
      const json = decode(run, i + 1);
      let made = redactWithin(redaction, json, false);
      if (made === json) return run;
      for (let times = 0; times <= i; times++) made = encodeURIComponent(made);
      return made;
    });
  }
  return redacted;
}

/** A query or a form: `name=value&…`, names and values percent-encoded. Everything else in it stays as it was. */
export function redactPairs(redaction: Redaction, text: string): string {
  if (text === '') return text;
  return text
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return redactAssignments(redaction, pair);
      const name = lastNameOf(decode(pair.slice(0, equals), 1));
      const raw = pair.slice(equals + 1);
      const made =
        secrecyOf(name) === undefined ? redactValue(redaction, raw) : redactEncoded(redaction, raw, 1);
      const field = redactAssignments(redaction, pair.slice(0, equals));
      return `${field}=${made ?? raw}`;
    })
    .join('&');
}

/** Texts with a syntax of their own: JSON, or a credential with its scheme. */
const TEXT_HINT = /[[{]|%[57]B|bearer/i;

function redactValue(redaction: Redaction, raw: string): string {
  const made = redactAssignments(redaction, raw);
  if (!TEXT_HINT.test(made)) return made;
  const text = decode(made, 1);
  const loose = redactWithin(redaction, text, false);
  return loose === text ? made : encodeURIComponent(loose);
}

/** The name of what a field stands for: `data[access_token]`, `data.access_token` and `access_token[0]`. */
function lastNameOf(field: string): string {
  if (!field.includes('.') && !field.includes('[')) return field;
  return (
    field
      .split(/[.[\]]+/)
      .filter((part) => /\D/.test(part))
      .at(-1) ?? field
  );
}

/** A secret name with a sign behind it, a credential, or a password in a URL. */
const MAY_BE_NAMED = new RegExp(`(?:${NAME_ENDS.join('|')})(?:[\\\\"'=:>%]|\\s)|bearer\\s|@`, 'i');

/** False: `redactLoose` finds nothing but what is coded in the text. */
export function mayHoldNamed(text: string): boolean {
  return MAY_BE_NAMED.test(text);
}

export function redactLoose(redaction: Redaction, text: string): string {
  if (text.includes('\\u00') && namesSecret(text)) return redaction.fingerprint(text);
  return redactAssignments(redaction, text)
    .replace(ELEMENT, (_, before: string, value: string) => before + redactSecret(redaction, value))
    .replace(BEARER, (_, scheme: string, token: string) => scheme + redactSecret(redaction, token))
    .replace(ESCAPED, (_, before: string, value: string) => before + redactSecret(redaction, value))
    .replace(QUOTED, (_, before: string, value: string) => `${before}"${redactSecret(redaction, value)}"`)
    .replace(NAMED, (_, before: string, value: string) => before + redactSecret(redaction, value));
}

/** null where the value stays. A fingerprint needs no encoding, at no depth. */
function redactEncoded(redaction: Redaction, raw: string, times: number): string | null {
  const value = decode(raw, times);
  const made = redactSecret(redaction, value);
  return made === value ? null : made;
}

function decode(raw: string, times: number): string {
  let text = raw;
  for (let i = 0; i < times; i++) text = decodePercent(text);
  return text;
}
