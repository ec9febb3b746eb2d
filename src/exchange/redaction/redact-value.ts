/** Redacts values that are made of an exchange: facts, and addresses that are held against each other. */
import type { Fingerprint } from './fingerprint.js';
import { redactWithin } from './redact-json.js';
import { secrecyOf } from './redacted-fields.js';
import { type Redaction, redactSecret } from './redaction.js';
import { createSecretMemory } from './secret-memory.js';

const redactionOf = (fingerprint: Fingerprint): Redaction => ({
  ...{ fingerprint, secretOf: createSecretMemory(fingerprint), unmarked: new WeakMap(), met: [] },
  ...{ depth: 0, request: null },
});

/** Redacts a text by itself: an address keeps its scheme, host and path. Doing it twice changes nothing more. */
export function redactText(text: string, fingerprint: Fingerprint): string {
  return redactWithin(redactionOf(fingerprint), text, false);
}

/** Whether two addresses are the same, where one of them may have been redacted. */
export function isSameAddress(one: string, other: string, fingerprint: Fingerprint): boolean {
  return one === other || redactText(one, fingerprint) === redactText(other, fingerprint);
}

/** Redacts the texts of a plain value; the same value where nothing in it is secret. */
export function redactValue<V>(value: V, fingerprint: Fingerprint): V {
  return redactIn(redactionOf(fingerprint), value, '') as V;
}

function redactIn(redaction: Redaction, value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return secrecyOf(name) === 'secret'
      ? redactSecret(redaction, value)
      : redactWithin(redaction, value, false);
  if (typeof value !== 'object' || value === null) return value;
  let redacted: Record<string, unknown> | unknown[] | null = null;
  for (const [key, one] of Object.entries(value)) {
    const made = redactIn(redaction, one, Array.isArray(value) ? name : key);
    if (made === one) continue;
    redacted ??= Array.isArray(value) ? [...value] : { ...value };
    (redacted as Record<string, unknown>)[key] = made;
  }
  return redacted ?? value;
}
