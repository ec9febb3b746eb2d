/** Whether time stamps show that checkpoints were made when they say, and soon after what they cover. */
import type { Checkpoint } from './checkpoint.js';
import type { CheckedTimeStamp, StampState } from './time-stamp/index.js';

/** A checkpoint that fits its chain, with the time stamps that name it. */
export interface TimedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly stamps: readonly CheckedTimeStamp[];
  /** When the first and the last exchange that it covers began, epoch ms; null where it covers none. */
  readonly first: number | null;
  readonly last: number | null;
}

/**
 * `trusted`: an authority shows that the checkpoint was made when it says. `absent`: nothing stamps it, nor one after it.
 * `late`: so long after the checkpoint, or after what it covers, that all of it could have been made then. `early`:
 * before it, or before what it covers. Else what is amiss with a stamp of it.
 */
export interface Stamped {
  readonly state: StampState | 'absent' | 'late' | 'early';
  /** Epoch ms; null where nothing is known of it. */
  readonly at: number | null;
  readonly authority: string;
}

/** Clocks of two machines differ, and an authority may be away for some minutes. */
export const FAR_MS = 600_000;

/**
 * One that the authority was not there to stamp is covered by the stamp of the next: its link rests on all before it.
 * Without anchors each of them is `unchecked`, or without a stamp of its own `absent`.
 */
export function judgeStamps(
  checkpoints: readonly TimedCheckpoint[],
  isAsked: boolean,
): Map<Checkpoint, Stamped> {
  const found = new Map<Checkpoint, Stamped>();
  let next: CheckedTimeStamp | null = null;
  for (const one of checkpoints.toSorted((a, b) => b.checkpoint.entries - a.checkpoint.entries)) {
    const amiss = one.stamps.find(({ state }) => state !== 'trusted');
    const own = one.stamps.find(({ state }) => state === 'trusted');
    next = own ?? next;
    const shown = amiss ?? (isAsked ? next : null);
    found.set(one.checkpoint, shown === null ? ABSENT : { ...shown, state: stateOf(shown, one) });
  }
  return found;
}

const ABSENT: Stamped = { state: 'absent', at: null, authority: '' };

function stateOf(
  { state, at }: CheckedTimeStamp,
  { checkpoint, first, last }: TimedCheckpoint,
): Stamped['state'] {
  if (state !== 'trusted' || at === null) return state;
  const made = Date.parse(checkpoint.at);
  if (at - Math.min(made, first ?? made) > FAR_MS) return 'late';
  return Math.max(made, last ?? made) - at > FAR_MS ? 'early' : 'trusted';
}
