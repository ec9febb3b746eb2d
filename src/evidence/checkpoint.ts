/** Checkpoints: signed statements of a gateway about a session that it is recording. */
import { openSigned, type Sign } from './jws.js';

/**
 * At `at` the chain of the session had so many entries, and this link was that of the last one; the entries in `runs`
 * (first and last place of each) were recorded by the one who signs. What others wrote between them, or before, is only
 * known to have been there.
 */
export interface Checkpoint {
  readonly type: 'sandgate-checkpoint';
  readonly version: 1;
  readonly session: string;
  /** Id of the store. */
  readonly store: string;
  readonly entries: number;
  /** Hex. */
  readonly head: string;
  readonly runs: readonly (readonly [from: number, to: number])[];
  /** `orderBehind` of all entries of the runs, where turns order them among those of other chains. */
  readonly order?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A compact JWS with a line end. */
export function signCheckpoint(checkpoint: Checkpoint, sign: Sign): Promise<string> {
  return sign(Buffer.from(JSON.stringify(checkpoint)));
}

export interface TrustedKey {
  /** Public key or certificate. */
  readonly pem: string;
  /** What the user calls it. */
  readonly name: string;
}

export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly key: TrustedKey;
}

/** null where none of the keys signed it, or what they signed is no checkpoint. */
export async function openCheckpoint(
  jws: string,
  keys: readonly TrustedKey[],
): Promise<OpenedCheckpoint | null> {
  for (const key of keys) {
    const payload = await openSigned(jws, key.pem, key.name);
    const checkpoint = payload === null ? null : readCheckpoint(payload);
    if (checkpoint !== null) return { checkpoint, key };
  }
  return null;
}

/** What a checkpoint says, whoever signed it; null where it is none. */
export function unverifiedCheckpoint(jws: string): Checkpoint | null {
  const [, payload = ''] = jws.split('.');
  return readCheckpoint(Buffer.from(payload, 'base64url'));
}

function readCheckpoint(payload: Uint8Array): Checkpoint | null {
  let value: Partial<Checkpoint> | null;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return null;
  }
  if (value?.type !== 'sandgate-checkpoint' || value.version !== 1) return null;
  const { session, store, head, at, entries, runs } = value;
  const isOne =
    [session, store, head, at].every((one) => typeof one === 'string') &&
    Number.isSafeInteger(entries) &&
    Array.isArray(runs) &&
    runs.every((run) => Array.isArray(run) && run.length === 2 && run.every(Number.isSafeInteger));
  return isOne ? (value as Checkpoint) : null;
}
