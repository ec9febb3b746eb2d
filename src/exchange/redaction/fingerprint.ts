/** Keyed fingerprints replace secrets, so that equality can still be told and nothing else. */
import { createHmac } from 'node:crypto';
import { createRecentCache } from '../recent-cache.js';

/** Replaces a secret by its fingerprint. */
export type Fingerprint = (secret: string) => string;

const FORM = /^fp_[A-Za-z0-9_-]{22}$/;
const REMEMBERED = 1_000;
/** Tokens are shorter; what is longer is a whole body. */
const LONGEST_REMEMBERED = 4_096;

interface Known {
  readonly secret: string;
  readonly made: string;
}

export function isFingerprint(text: string): boolean {
  return text.length === 25 && FORM.test(text);
}

/**
 * `key` belongs to a store and never leaves it: fingerprints of two stores cannot be compared. A text that is a
 * fingerprint already is given back unchanged, but for `isLive`: what a client sends is a secret or none, and a
 * fingerprint, which every recording shows, must not open what its secret opens.
 */
export function createFingerprint(key: Uint8Array, isLive = false): Fingerprint {
  // The same few tokens come again with every call.
  const known = createRecentCache<string, Known>(REMEMBERED);
  // Rules, ledger and recording ask for that of one call in turn: comparing it takes less than hashing it as a key.
  let last: Known | undefined;
  return (secret) => {
    if (last?.secret === secret) return last.made;
    if (!isLive && isFingerprint(secret)) return secret;
    const remembered = known.get(secret);
    if (remembered !== undefined) {
      last = remembered;
      return remembered.made;
    }
    const digest = createHmac('sha256', key).update(secret).digest();
    const made = `fp_${digest.subarray(0, 16).toString('base64url')}`;
    if (secret.length <= LONGEST_REMEMBERED) {
      const own = ownCopy(secret);
      known.set(own, { secret: own, made });
    }
    return made;
  };
}

/** The same text for itself: a piece that was cut out of a long text holds on to the whole of it. */
export function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
