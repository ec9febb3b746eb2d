/** The state of one redaction: the fingerprints it makes, and the clear secrets it has met. */

import type { Request } from '../message.js';
import type { Content } from '../wire.js';
import type { Fingerprint } from './fingerprint.js';
import { isPublic } from './redacted-fields.js';
import type { Secret, SecretMemory } from './secret-memory.js';

/** What a redactor knows beyond one exchange. */
export interface RedactionMemory {
  readonly fingerprint: Fingerprint;
  readonly secretOf: SecretMemory;
  /** Texts that hold no secret, by what was read of them: equal ones need no second look. */
  readonly unmarked: WeakMap<Content, string>;
}

export interface Redaction extends RedactionMemory {
  /** They are taken out wherever else they occur in the exchange. */
  readonly met: Secret[];
  /** How deep in codings that stand in each other. */
  depth: number;
  /** As it is kept: what it shows is no secret. */
  request: Request | null;
}

/** More would be no ordinary call, and each costs a search through all of it. */
const MOST_MET = 16;

/** The fingerprint of a secret, remembered for `redactCopies`. What is public or a fingerprint already stays. */
export function redactSecret({ secretOf, met }: Redaction, text: string): string {
  const secret = secretOf(text);
  if (secret.forms.length > 0 && met.length < MOST_MET && !met.some((one) => one.text === text))
    met.push(secret);
  return secret.made;
}

/** As `redactSecret`, for values like those of cookies, which may well be ordinary words. */
export function redactSecretHere(redaction: Redaction, secret: string): string {
  return isPublic(secret) ? secret : redaction.fingerprint(secret);
}

/** A text without the secrets that were met elsewhere in the exchange, whatever their coding. */
export function redactCopies({ met }: Redaction, text: string): string {
  let redacted = text;
  for (const secret of met) redacted = without(secret, redacted);
  return redacted;
}

function without(secret: Secret, text: string): string {
  // No coding makes it shorter.
  if (text.length < secret.text.length || text === secret.absentFrom) return text;
  let redacted = text;
  for (const form of secret.forms)
    if (redacted.includes(form)) redacted = redacted.replaceAll(form, secret.made);
  if (redacted === text && isWorthKnowing(text)) secret.absentFrom = text;
  return redacted;
}

/** Shorter ones, as header fields are, are looked through in no time. */
const isWorthKnowing = ({ length }: string): boolean => length >= 512 && length <= 4_096;
