/** Challenges and verifiers (RFC 7636): a recording holds fingerprints of verifiers, so a run makes its own pairs. */
import { hash } from 'node:crypto';
import { isFingerprint } from '../../exchange/index.js';

export interface ChallengePair {
  readonly challenge: string;
  readonly verifier: string;
}

export interface Challenges {
  /** The pair that takes the place of a recorded challenge; null where the recorded one is sent as it is. */
  readonly pairFor: (challenge: string, method: string | undefined) => ChallengePair | null;
  /** A code came back to an authorization request with this recorded challenge. */
  readonly noteCode: (code: string, challenge: string) => void;
  /** What is sent in place of a recorded verifier; `flaw`: what was wrong with that one. */
  readonly verifierFor: (verifier: string, code: string, flaw: VerifierFlaw | null) => string;
}

export type VerifierFlaw = 'mismatch' | 'malformed';

const WELL_FORMED = /^[A-Za-z0-9._~-]{43,128}$/;
const VERIFIER_BYTES = 32;

const s256 = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** `clearVerifiers`: those that the recording shows; their challenges are sent as recorded. */
export function createChallenges(
  clearVerifiers: Iterable<string>,
  bytes: (size: number) => Uint8Array,
): Challenges {
  const kept = new Set([...clearVerifiers].flatMap((verifier) => [verifier, s256(verifier)]));
  const pairs = new Map<string, ChallengePair>();
  const ofCode = new Map<string, ChallengePair>();
  const freshVerifier = () => Buffer.from(bytes(VERIFIER_BYTES)).toString('base64url');
  return {
    pairFor: (challenge, method) => {
      if (kept.has(challenge) || !WELL_FORMED.test(challenge)) return null;
      const known = pairs.get(challenge);
      if (known !== undefined) return known;
      const verifier = freshVerifier();
      // Absent means plain (4.3).
      const pair = { verifier, challenge: method === 'S256' ? s256(verifier) : verifier };
      pairs.set(challenge, pair);
      return pair;
    },
    noteCode: (code, challenge) => {
      const pair = pairs.get(challenge);
      if (pair !== undefined) ofCode.set(code, pair);
    },
    verifierFor: (verifier, code, flaw) => {
      if (!isFingerprint(verifier)) return verifier;
      if (flaw === 'malformed') return 'too-short';
      return flaw === 'mismatch' ? freshVerifier() : (ofCode.get(code)?.verifier ?? freshVerifier());
    },
  };
}
