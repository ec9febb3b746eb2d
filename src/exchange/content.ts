/** Reads a body as its media type says. */
import { closingQuote, locateJsonFault } from './json-text.js';
import { createTextMemory } from './recent-cache.js';
import { isFingerprint } from './redaction/fingerprint.js';
import type { Body, Content, ParameterList } from './wire.js';

const NONE: Content = { kind: 'none' };
const OPAQUE: Content = { kind: 'opaque' };
const NO_TEXT: Content = { kind: 'unparseable', problem: 'it is not UTF-8' };
const NOT_OBSERVED: Content = { kind: 'not-observed' };
export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The longest form of the interface has eight. */
const MOST_FIELDS = 1_000;
/** No body of the interface is deeper than ten. What looks at a value looks into it, each level on the stack. */
const MOST_DEPTH = 1_000;
/** In characters. Finding the place of a fault takes ten times as long as finding the fault. */
const MOST_LOCATED = 16_384;
const [QUOTE, OPENING, CLOSING] = [0x22, 0x5b, 0x5d];
/** Stands for a body that does not parse and holds a secret: stored as one fingerprint. */
const HIDDEN: Content = { kind: 'unparseable', problem: 'it is not shown' };
const TOO_MANY: Content = { kind: 'unparseable', problem: `it has more than ${MOST_FIELDS} fields` };
const TOO_DEEP: Content = { kind: 'unparseable', problem: `it is nested more than ${MOST_DEPTH} deep` };

/** The media type without parameters, lower case; empty where there is none. */
export function mediaType(contentType: string | undefined): string {
  if (contentType === JSON_TYPE) return JSON_TYPE;
  if (contentType === undefined) return '';
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(type: string): boolean {
  return type === JSON_TYPE || (type.startsWith('application/') && type.endsWith('+json'));
}

/** The content of a body; a truncated one is not observed, an empty one is none. Equal bodies may share one. */
export function readContent(body: Body | null, contentType: string | undefined): Content {
  if (body === null || (body.text === '' && body.truncated !== true)) return NONE;
  if (body.truncated === true) return NOT_OBSERVED;
  const type = mediaType(contentType);
  if (body.base64 === true) return isJsonType(type) || type === FORM_TYPE ? NO_TEXT : OPAQUE;
  if (isJsonType(type)) return readJson(body.text);
  if (type === FORM_TYPE) return readFormBody(body.text);
  return OPAQUE;
}

/** Banks say the same again and again: what was read of a text, and judged of it, is known by it. */
const readJson = createTextMemory(parseJson, keepContent);

const kept = new WeakSet<Content>();

/** The same content is going to come again: what is found out about it may be remembered by it. */
export function keepContent(content: Content): void {
  kept.add(content);
}

/**
 * Of no other content anything is remembered: an entry of a weak map that is needed no more outlives the young
 * collections, and with it all that it holds.
 */
export function isKeptContent(content: Content): boolean {
  return kept.has(content);
}

function parseJson(text: string): Content {
  if (isTooDeep(text)) return TOO_DEEP;
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return isFingerprint(text) ? HIDDEN : brokenJson(text);
  }
}

/** Most texts have not as many brackets at all. */
function isTooDeep(text: string): boolean {
  if (!holds(text, '[', MOST_DEPTH / 2) && !holds(text, '{', MOST_DEPTH / 2)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    // In one bit [ differs from {, and ] from }.
    else if ((code & ~0x20) === OPENING) depth++;
    else if ((code & ~0x20) === CLOSING) depth--;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

/** Messages of JSON.parse are not kept: they quote the text around the fault, which may be a secret. */
function brokenJson(text: string): Content {
  if (text.length > MOST_LOCATED) return { kind: 'unparseable', problem: 'it is not JSON' };
  const { line, column } = locateJsonFault(text);
  return { kind: 'unparseable', problem: `it is not JSON from line ${line}, column ${column} on` };
}

function readFormBody(text: string): Content {
  if (isFingerprint(text)) return HIDDEN;
  if (hasTooManyFields(text)) return TOO_MANY;
  return wrongEscape(text) ?? { kind: 'form', fields: readForm(text) };
}

/** A lenient reader takes `%zz` as it stands, and bytes that are no UTF-8 for a mark: neither is what was meant. */
function wrongEscape(text: string): Content | undefined {
  if (!text.includes('%')) return undefined;
  const [wrong] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text) ?? [];
  if (wrong !== undefined) return { kind: 'unparseable', problem: `${wrong} is not a percent-encoded byte` };
  try {
    decodeURIComponent(text);
    return undefined;
  } catch {
    return { kind: 'unparseable', problem: 'its percent-encoded bytes are not UTF-8' };
  }
}

const hasTooManyFields = (text: string): boolean => holds(text, '&', MOST_FIELDS);

function holds(text: string, char: string, times: number): boolean {
  if (text.length < times) return false;
  let at = -1;
  for (let found = 0; found < times; found++) {
    at = text.indexOf(char, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Name and value pairs of a form or a query, `+` read as space, in their order. */
export function readForm(text: string): ParameterList {
  return text === '' ? [] : [...new URLSearchParams(text)];
}
