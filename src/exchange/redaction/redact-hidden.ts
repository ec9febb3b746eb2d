/** Redacts what shows by its form alone (keys, JWTs), and what stands in another coding within a text. */
import { changeCoded, findCoded, mayHoldCoded } from '../codings/codings.js';
import { findSecretValues } from './key-material.js';
import { jsonKind, redactJson } from './redact-json.js';
import { mayHoldNamed, redactLoose } from './redact-text.js';
import { type Redaction, redactSecret } from './redaction.js';

const DEEPEST = 4;

/** False: `redactHidden` gives the same text back. */
export function mayHide(text: string): boolean {
  return text.length >= 20 && (mayHoldCoded(text) || text.includes('kty'));
}

export function redactHidden(redaction: Redaction, text: string): string {
  if (!mayHide(text)) return text;
  const plain = redactValues(redaction, text);
  if (redaction.depth >= DEEPEST) return plain;
  redaction.depth += 1;
  const redacted = changeCoded(plain, (inner) => redactInner(redaction, inner));
  redaction.depth -= 1;
  return redacted;
}

export function redactInner(redaction: Redaction, text: string): string {
  if (!mayHoldNamed(text) && !mayHide(text)) return text;
  return jsonKind(text) === 'whole' ? redactJson(redaction, text, false) : redactLoose(redaction, text);
}

export function holdsSecretValue(text: string): boolean {
  if (!mayHide(text)) return false;
  return (
    findSecretValues(text).length > 0 ||
    findCoded(text).some(({ text: inner }) => findSecretValues(inner).length > 0)
  );
}

function redactValues(redaction: Redaction, text: string): string {
  let redacted = '';
  let copied = 0;
  for (const { start, end, value } of findSecretValues(text)) {
    redacted += text.slice(copied, start) + redactSecret(redaction, value);
    copied = end;
  }
  return copied === 0 ? text : redacted + text.slice(copied);
}
