/** Remembers what becomes of secrets: the same few come again with every call. */
import { createRecentCache } from '../recent-cache.js';
import { type Fingerprint, isFingerprint } from './fingerprint.js';
import { ownCopy } from './own-copy.js';
import { isPublic } from './redacted-fields.js';
import { isUnmistakable, secretForms } from './secret-forms.js';

export interface Secret {
  readonly text: string;
  /** Its fingerprint; itself where it is public, or a fingerprint already. */
  readonly made: string;
  /** In which copies of it are looked for; none where these could not be told from ordinary traffic. */
  readonly forms: readonly string[];
  /** Of the longer texts that it was looked for in, the last one without it: with each call the same body comes again. */
  absentFrom: string;
}

export type SecretMemory = (text: string) => Secret;

const REMEMBERED = 500;
const LONGEST_REMEMBERED = 4_096;
const NONE: readonly string[] = [];

export function createSecretMemory(fingerprint: Fingerprint): SecretMemory {
  const known = createRecentCache<string, Secret>(REMEMBERED);
  const secretOf = (text: string): Secret => {
    if (isFingerprint(text) || isPublic(text)) return { text, made: text, forms: NONE, absentFrom: '' };
    const forms = isUnmistakable(text) ? secretForms(text) : NONE;
    return { text, made: fingerprint(text), forms, absentFrom: '' };
  };
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    if (text.length > LONGEST_REMEMBERED) return secretOf(text);
    const own = ownCopy(text);
    const secret = secretOf(own);
    known.set(own, secret);
    return secret;
  };
}
