/** Redacts JSON text in place: order, white space, numbers and repeated members stay as they were. */
import { WIRE_ERRORS } from '../../spec/index.js';
import { changeJson } from '../json-text.js';
import { PRIVATE_MEMBERS } from './key-material.js';
import { mayHide } from './redact-hidden.js';
import { MESSAGE_TEXTS, mayHoldToken, redactMessage } from './redact-message.js';
import { redactAssignments, redactLoose } from './redact-text.js';
import { MESSAGE_PARENTS, NAME_ENDS, NAME_PATTERN, secrecyOf } from './redacted-fields.js';
import { type Redaction, redactSecret, redactSecretHere } from './redaction.js';

/** How secret names end, with a quote or an equals sign behind them: the quick test before `MARK`. */
const NAME_END = new RegExp(`(?:${NAME_ENDS.join('|')})\\\\*["'=]`, 'i');
const MARK = new RegExp(`["'?&#;]\\s*(?:code|${NAME_PATTERN})\\\\*["'=]`, 'i');
const BEARER = /bearer\s/i;

/** False: `redactJson` gives the same text back. What is percent-encoded is looked at in any case. */
export function mayHoldSecrets(text: string): boolean {
  return (
    (NAME_END.test(text) && MARK.test(text)) || text.includes('\\u00') || BEARER.test(text) || mayHide(text)
  );
}

export const isJsonLike = (text: string): boolean => /^\s*[[{]/.test(text);

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
  readonly secret: boolean;
  /** A member `code` in it is that of a message. */
  readonly messages: boolean;
}

/** A name that is shorter holds no more than a name. */
const SHORTEST_HOLDER = 12;

/**
 * `text` must have been parsed before. `codesAreMessages`: members named `code` are message codes all over, as in an
 * error answer. The same text comes back where nothing was secret.
 */
export function redactJson(redaction: Redaction, text: string, codesAreMessages: boolean): string {
  if (!mayHoldSecrets(text) && !(codesAreMessages && mayHoldToken(text))) return text;
  // A key (RFC 7517) has members with short names.
  const hasKey = text.includes('kty');
  const within = (value: string, messages: boolean) => redactWithin(redaction, value, messages);
  return changeJson<Level>(
    text,
    { secret: false, messages: codesAreMessages },
    {
      enter: (level, member) => ({
        secret: level.secret || secrecyOf(member) === 'secret',
        messages: level.messages || MESSAGE_PARENTS.has(member),
      }),
      name: (name) => (name.length < SHORTEST_HOLDER ? name : within(name, false)),
      text: (value, member, level) => {
        if (isSecret(level, member, value) || (hasKey && PRIVATE_MEMBERS.has(member)))
          return redactSecret(redaction, value);
        const redacted = within(value, level.messages);
        return level.messages && MESSAGE_TEXTS.has(member) ? redactMessage(redaction, redacted) : redacted;
      },
      // A PIN or a one-time password. A number under `code` is a message's.
      number: (literal, member, level) =>
        level.secret || secrecyOf(member) === 'secret'
          ? `"${redactSecretHere(redaction, literal)}"`
          : literal,
    },
  );
}

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

function isSecret(level: Level, member: string, value: string): boolean {
  if (level.secret) return true;
  const secrecy = secrecyOf(member);
  if (secrecy !== 'code') return secrecy === 'secret';
  return !level.messages && !Object.hasOwn(WIRE_ERRORS, value);
}
