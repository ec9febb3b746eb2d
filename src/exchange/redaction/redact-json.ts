/** Redacts JSON text in place: order, white space, numbers and repeated members stay as they were. */
import { WIRE_ERRORS } from '../../spec/index.js';
import { closingQuote, isName } from '../json-text.js';
import { PRIVATE_MEMBERS } from './key-material.js';
import { mayHide } from './redact-hidden.js';
import { MESSAGE_TEXTS, mayHoldToken, redactMessage } from './redact-message.js';
import { redactAssignments, redactLoose } from './redact-text.js';
import { MESSAGE_PARENTS, NAME_ENDS, NAME_PATTERN, secrecyOf } from './redacted-fields.js';
import { type Redaction, redactSecret, redactSecretHere } from './redaction.js';

/** How secret names end, with a quote or an equals sign behind them: the quick test before `MARK`. */
const NAME_END = new RegExp(`(?:${NAME_ENDS.join('|')})\\\\*["'=]`, 'i');
/** A secret name with a quote or an equals sign behind it. */
const MARK = new RegExp(`["'?&#;]\\s*(?:code|${NAME_PATTERN})\\\\*["'=]`, 'i');
const BEARER = /bearer\s/i;

/** False: `redactJson` gives the same text back. What is percent-encoded is looked at in any case. */
export function mayHoldSecrets(text: string): boolean {
  return (
    (NAME_END.test(text) && MARK.test(text)) || text.includes('\\u00') || BEARER.test(text) || mayHide(text)
  );
}

const JSON_LIKE = /^\s*[[{]/;

/** Whether a text is meant to be JSON. */
export function isJsonLike(text: string): boolean {
  return JSON_LIKE.test(text);
}

/** Whether a text is meant to be JSON, and whether it is. */
export function jsonKind(text: string): 'none' | 'broken' | 'whole' {
  if (!isJsonLike(text)) return 'none';
  try {
    JSON.parse(text);
  } catch {
    return 'broken';
  }
  return 'whole';
}

interface Level {
  /** The member that this object or array is the value of. */
  readonly parent: string;
  /** Everything in it is secret. */
  readonly secret: boolean;
  /** A member `code` in it is that of a message. */
  readonly messages: boolean;
}

interface Scan {
  readonly text: string;
  readonly redaction: Redaction;
  out: string;
  /** Up to here the text is in `out`. */
  copied: number;
  member: string;
  /** Somewhere in it is a key (RFC 7517), whose members have short names. */
  readonly hasKey: boolean;
}

/**
 * `text` must have been parsed before. `codesAreMessages`: members named `code` are message codes all over, as in an
 * error answer. The same text comes back where nothing was secret.
 */
export function redactJson(redaction: Redaction, text: string, codesAreMessages: boolean): string {
  if (!mayHoldSecrets(text) && !(codesAreMessages && mayHoldToken(text))) return text;
  const scan: Scan = { text, redaction, out: '', copied: 0, member: '', hasKey: text.includes('kty') };
  const levels: Level[] = [{ parent: '', secret: false, messages: codesAreMessages }];
  let at = 0;
  while (at < text.length) {
    const level = levels.at(-1) as Level;
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = readString(scan, at, level);
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      levels.push(inner(level, scan.member));
      at += 1;
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      scan.member = (levels.pop() as Level).parent;
      at += 1;
    } else if (char === MINUS || (char >= DIGIT_0 && char <= DIGIT_9)) {
      at = readNumber(scan, at, level);
    } else at += 1;
  }
  return scan.copied === 0 ? text : scan.out + text.slice(scan.copied);
}

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

function inner(level: Level, member: string): Level {
  return {
    parent: member,
    secret: level.secret || secrecyOf(member) === 'secret',
    messages: level.messages || MESSAGE_PARENTS.has(member),
  };
}

/** A name that is shorter holds no more than a name. */
const SHORTEST_HOLDER = 12;

/** Reads the string that begins at `start`, a member's name or a value; gives the place behind it. */
function readString(scan: Scan, start: number, level: Level): number {
  const { text, redaction } = scan;
  const end = closingQuote(text, start);
  if (end === text.length) return end;
  const literal = text.slice(start, end + 1);
  const value = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (isName(text, end + 1)) {
    scan.member = value;
    const name = value.length < SHORTEST_HOLDER ? value : redactWithin(redaction, value, false);
    if (name !== value) replace(scan, start, end + 1, JSON.stringify(name));
    return end + 1;
  }
  const made = redactString(scan, value, level);
  if (made !== value) replace(scan, start, end + 1, JSON.stringify(made));
  return end + 1;
}

function redactString({ redaction, member, hasKey }: Scan, value: string, level: Level): string {
  if (isSecret(level, member, value) || (hasKey && PRIVATE_MEMBERS.has(member)))
    return redactSecret(redaction, value);
  const made = redactWithin(redaction, value, level.messages);
  return level.messages && MESSAGE_TEXTS.has(member) ? redactMessage(redaction, made) : made;
}

/** A text within another may be JSON itself. */
export function redactWithin(redaction: Redaction, text: string, codesAreMessages: boolean): string {
  switch (jsonKind(text)) {
    case 'none':
      return redactAssignments(redaction, text);
    case 'broken':
      return namesSecret(text) ? redaction.fingerprint(text) : redactLoose(redaction, text);
    case 'whole':
      return redactJson(redaction, text, codesAreMessages);
  }
}

/** A quoted name with a colon behind it, as JSON has its members, be it no JSON as a whole. */
const NAMED = new RegExp(`["'](?:code|${NAME_PATTERN})\\\\*["']\\s*:`, 'i');

/** Whether a text has a member of a secret name, its letters escaped or not. Where its value ends nobody can tell. */
export function namesSecret(text: string): boolean {
  return NAMED.test(unescapeLetters(text));
}

/** The letters of ASCII that JSON has escaped: `access_tok\\u0065n` names the same. */
export function unescapeLetters(text: string): string {
  if (!text.includes('\\u00')) return text;
  return text.replace(/\\+u00([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A PIN or a one-time password as a number. A number under `code` is a message's. */
function readNumber(scan: Scan, start: number, level: Level): number {
  let end = start + 1;
  while (end < scan.text.length && /[\d.eE+-]/.test(scan.text[end] as string)) end += 1;
  if (level.secret || secrecyOf(scan.member) === 'secret') {
    replace(scan, start, end, `"${redactSecretHere(scan.redaction, scan.text.slice(start, end))}"`);
  }
  return end;
}

function replace(scan: Scan, start: number, end: number, by: string): void {
  scan.out += scan.text.slice(scan.copied, start) + by;
  scan.copied = end;
}

function isSecret(level: Level, member: string, value: string): boolean {
  if (level.secret) return true;
  const secrecy = secrecyOf(member);
  if (secrecy !== 'code') return secrecy === 'secret';
  return !level.messages && !Object.hasOwn(WIRE_ERRORS, value);
}
