/** The state of one redaction: the fingerprints it makes, and the clear secrets it has met. */
import type { Request } from '../message.js';
import { createRecentCache } from '../recent-cache.js';
import type { Content } from '../wire.js';
import { type Fingerprint, isFingerprint, ownCopy } from './fingerprint.js';
import { isPublic } from './redacted-fields.js';

export interface Redaction {
  readonly fingerprint: Fingerprint;
  readonly secretOf: SecretMemory;
  /** Texts that hold no secret, by what was read of them: equal ones need no second look. */
  readonly unmarked: WeakMap<Content, string>;
  readonly met: Secret[];
  depth: number;
  /** The request as stored, without secrets. */
  request: Request | null;
}

/** More would be no ordinary call, and each costs a search through all of it. */
const MOST_MET = 16;

/** The fingerprint of a secret, remembered for `redactCopies`. What is public or a fingerprint already stays. */
export function redactSecret({ secretOf, met }: Redaction, text: string): string {
  const secret = secretOf(text);
  if (secret.forms.length > 0 && met.length < MOST_MET && !met.some((one) => one.text === text))
    met.push(secret);
  return secret.fingerprint;
}

/** Like `redactSecret`, for values such as cookies, which may be ordinary words. */
export function redactSecretHere(redaction: Redaction, secret: string): string {
  return isPublic(secret) ? secret : redaction.fingerprint(secret);
}

/** A text without the secrets that were met elsewhere in the exchange, whatever their coding. */
export function redactCopies({ met }: Redaction, text: string): string {
  let redacted = text;
  for (const secret of met) {
    // No coding makes it shorter.
    if (redacted.length < secret.text.length || redacted === secret.absentFrom) continue;
    const before = redacted;
    for (const form of secret.forms)
      if (redacted.includes(form)) redacted = redacted.replaceAll(form, secret.fingerprint);
    if (redacted === before && isWorthKnowing(before)) secret.absentFrom = before;
  }
  return redacted;
}

/** Shorter ones, as header fields are, are looked through in no time. */
const isWorthKnowing = ({ length }: string): boolean => length >= 512 && length <= 4_096;

interface Secret {
  readonly text: string;
  readonly fingerprint: string;
  /** In which copies of it are looked for; none where these could not be told from ordinary traffic. */
  readonly forms: readonly string[];
  /** The last longer text without this secret: the same body comes again with each call. */
  absentFrom?: string;
}

type SecretMemory = (text: string) => Secret;

const REMEMBERED = 500;
const LONGEST_REMEMBERED = 4_096;
const NONE: readonly string[] = [];

export function createSecretMemory(fingerprint: Fingerprint): SecretMemory {
  const remembered = createRecentCache<string, Secret>(REMEMBERED);
  const secretOf = (text: string): Secret => {
    if (isFingerprint(text) || isPublic(text)) return { text, fingerprint: text, forms: NONE };
    return { text, fingerprint: fingerprint(text), forms: isUnmistakable(text) ? secretForms(text) : NONE };
  };
  return (text) => {
    const before = remembered.get(text);
    if (before !== undefined) return before;
    if (text.length > LONGEST_REMEMBERED) return secretOf(text);
    const copy = ownCopy(text);
    const secret = secretOf(copy);
    remembered.set(copy, secret);
    return secret;
  };
}

const UNMISTAKABLE = /^(?=.*\d)[\w.~+/-]{12,}=*$/;

/** The form of a token, not of a word: anything else could be part of ordinary traffic, or of its syntax. */
export const isUnmistakable = (text: string): boolean => UNMISTAKABLE.test(text);

/** Clear, with the escaped slashes of JSON, percent-encoded once and twice, and as base64 at each of its offsets. */
function secretForms(secret: string): string[] {
  const escaped = secret.replaceAll('/', '\\/');
  return [...new Set([secret, escaped, ...percentForms(secret), ...base64Forms(secret)])];
}

function percentForms(secret: string): string[] {
  const once = encodeURIComponent(Buffer.from(secret).toString());
  const forms = [once, once.replaceAll('%', '%25')];
  return [
    ...forms,
    ...forms.map((form) => form.replace(/%(?:25)*[0-9A-F]{2}/g, (sign) => sign.toLowerCase())),
  ];
}

/** The characters of base64 that depend on the secret alone, without its first and last ones. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return [shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to)];
  });
}
