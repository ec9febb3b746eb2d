/** Readable forms of bodies and headers for cassettes (JSON as JSON, forms as objects), both directions. */

import { readForm } from '../content.js';
import { closingQuote } from '../json-text.js';
import { jsonKind } from '../redaction/redact-json.js';
import type { Body, Content, HeaderList } from '../wire.js';
import type { CassetteBody, CassetteHeaders } from './cassette-schema.js';

type Pairs = readonly (readonly [string, string])[];
type Grouped = Record<string, string | string[]>;

/** `isExact`: it is read again byte by byte, blanks between the members of JSON included. */
export function writeBody(body: Body | null, content: Content, isExact = false): CassetteBody {
  if (body === null) return {};
  const { text, size, base64, ...rest } = body;
  const written: CassetteBody = base64 === true ? { base64: text } : readableAs(text, content, isExact);
  const bytes = base64 === true ? Buffer.byteLength(text, 'base64') : Buffer.byteLength(textOf(written));
  return { ...written, ...(bytes === size ? {} : { bodySize: size }), ...rest };
}

function readableAs(text: string, content: Content, isExact: boolean): CassetteBody {
  const written = readable(text, content);
  return isExact && textOf(written) !== text ? { text } : written;
}

function readable(text: string, content: Content): CassetteBody {
  if (content.kind === 'json' && compactJson(text) === JSON.stringify(content.value)) {
    return { json: content.value };
  }
  if (content.kind === 'form' && isWellFormed(text) && jsonKind(text) === 'none') {
    const form = groupPairs(content.fields);
    if (form !== undefined) return { form };
  }
  return { text };
}

export function readBody(written: CassetteBody): Body | null {
  const { json, form, text, base64, bodySize, truncated, sha256, coded } = written;
  const rest = {
    ...(truncated === undefined ? {} : { truncated }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(coded === undefined ? {} : { coded }),
  };
  if (base64 !== undefined) {
    return { text: base64, base64: true, size: bodySize ?? Buffer.byteLength(base64, 'base64'), ...rest };
  }
  if (json === undefined && form === undefined && text === undefined) return null;
  const whole = textOf(written);
  return { text: whole, size: bodySize ?? Buffer.byteLength(whole), ...rest };
}

function textOf(written: CassetteBody): string {
  if (written.json !== undefined) return JSON.stringify(written.json);
  if (written.form !== undefined) {
    return new URLSearchParams(
      spread(written.form).map(([name, value]): [string, string] => [name, value]),
    ).toString();
  }
  return written.text ?? '';
}

/**
 * JSON without blanks and with the shortest escapes: it differs from what JSON.stringify gives only where something
 * would be lost, as in `1.10`, or in a member that stands twice.
 */
function compactJson(text: string): string {
  let compact = '';
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"') {
      const end = closingQuote(text, at) + 1;
      compact += JSON.stringify(JSON.parse(text.slice(at, end)));
      at = end;
    } else {
      if (!' \t\n\r'.includes(char)) compact += char;
      at++;
    }
  }
  return compact;
}

/** Percent-encoded as it ought to be: a form that is not keeps its bytes. */
function isWellFormed(text: string): boolean {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return readForm(text).length === text.split('&').length;
  } catch {
    return false;
  }
}

export function writeHeaders(headers: HeaderList): CassetteHeaders {
  return groupPairs(headers) ?? headers.map(([name, value]): [string, string] => [name, value]);
}

export function readHeaders(written: CassetteHeaders): HeaderList {
  return Array.isArray(written) ? written : spread(written);
}

/** Pairs as an object, of duplicates an array; undefined where an object would change their order. */
function groupPairs(pairs: Pairs): Grouped | undefined {
  const groups = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    // `__proto__` is a name that not every reader of JSON keeps.
    if (name === '__proto__') return undefined;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, value);
    else groups.set(name, typeof known === 'string' ? [known, value] : [...known, value]);
  }
  const object = Object.fromEntries(groups);
  return isSame(spread(object), pairs) ? object : undefined;
}

function spread(object: Readonly<Record<string, string | readonly string[]>>): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'string') pairs.push([name, value]);
    else for (const one of value) pairs.push([name, one]);
  }
  return pairs;
}

function isSame(a: Pairs, b: Pairs): boolean {
  return a.length === b.length && a.every(([name, value], i) => b[i]?.[0] === name && b[i]?.[1] === value);
}
