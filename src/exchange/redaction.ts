/** The state of one redaction: the fingerprints it makes, and the clear secrets it has met. */
import { codingsOf } from './codings.js';
import type { Call } from './exchange.js';
import { type Fingerprint, isFingerprint } from './fingerprint.js';
import { isPublic } from './redacted-fields.js';

export interface Redaction {
  readonly fingerprint: Fingerprint;
  /** Clear secrets and their fingerprints: they are taken out wherever else they occur in the exchange. */
  readonly met: Map<string, string>;
  /** The call that was redacted with it last, and when so many secrets were met: it may come again with its answer. */
  last: { readonly call: Call; readonly redacted: Call; readonly met: number } | null;
}

/** More would be no ordinary call, and each costs a search through all of it. */
const MOST_MET = 16;
const UNMISTAKABLE = /^(?=.*\d)[\w.~+/-]{12,}=*$/;

/** The form of a token, not of a word: anything else could be part of ordinary traffic, or of its syntax. */
export function isUnmistakable(text: string): boolean {
  return UNMISTAKABLE.test(text);
}

export function openRedaction(fingerprint: Fingerprint): Redaction {
  return { fingerprint, met: new Map(), last: null };
}

/** The fingerprint of a secret, remembered for `sweep`. What is public or a fingerprint already stays. */
export function hide(redaction: Redaction, secret: string): string {
  if (isFingerprint(secret) || isPublic(secret)) return secret;
  const made = redaction.fingerprint(secret);
  if (redaction.met.size < MOST_MET && isUnmistakable(secret)) redaction.met.set(secret, made);
  return made;
}

/** As `hide`, for values like those of cookies, which may well be ordinary words. */
export function hideHere(redaction: Redaction, secret: string): string {
  return isPublic(secret) ? secret : redaction.fingerprint(secret);
}

/** A text without the secrets that were met elsewhere in the exchange, whatever their coding. */
export function sweep(redaction: Redaction, text: string): string {
  let swept = text;
  for (const [secret, made] of redaction.met) {
    // No coding makes it shorter.
    if (swept.length < secret.length) continue;
    for (const form of codingsOf(secret)) if (swept.includes(form)) swept = swept.replaceAll(form, made);
  }
  return swept;
}
