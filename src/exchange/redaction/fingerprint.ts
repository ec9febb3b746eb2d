/** Keyed fingerprints replace secrets, so that equality can still be told and nothing else. */
import { createHmac } from 'node:crypto';
import { createRecentCache } from '../recent-cache.js';

export type Fingerprint = (secret: string) => string;

const FORM = /^fp_[A-Za-z0-9_-]{22}$/;
const REMEMBERED = 1_000;
/** Tokens are shorter; what is longer is a whole body. */
const LONGEST_REMEMBERED = 4_096;

export const isFingerprint = (text: string): boolean => text.length === 25 && FORM.test(text);

/**
 * `key` belongs to a store and never leaves it: fingerprints of two stores cannot be compared. A text that is a
 * fingerprint already is given back unchanged, but for `isLive`: what a client sends is a secret or none, and a
 * fingerprint, which every recording shows, must not open what its secret opens.
 */
export function createFingerprint(key: Uint8Array, isLive = false): Fingerprint {
  // The same few tokens come again with every call.
  const remembered = createRecentCache<string, string>(REMEMBERED);
  return (secret) => {
    if (!isLive && isFingerprint(secret)) return secret;
    const before = remembered.get(secret);
    if (before !== undefined) return before;
    const digest = createHmac('sha256', key).update(secret).digest();
    const fingerprint = `fp_${digest.subarray(0, 16).toString('base64url')}`;
    if (secret.length <= LONGEST_REMEMBERED) remembered.set(ownCopy(secret), fingerprint);
    return fingerprint;
  };
}

/** The same text for itself: a piece that was cut out of a long text holds on to the whole of it. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();
