/** Whether the entries of a session are ordered among those of other chains as checkpoints say. */
import { orderBehind, type VerifiedLink } from '../store/index.js';
import type { Checkpoint } from './checkpoint.js';

interface Followed {
  readonly checkpoint: Checkpoint;
  /** The run that is gone along. */
  run: number;
  /** Of it. */
  next: number;
  order: string;
}

export interface Orders {
  /** Entries of each chain in their order. */
  readonly see: (entry: VerifiedLink) => void;
  /** An entry has another turn than the one that was signed. Where one is gone, nobody can tell. */
  readonly differs: (checkpoint: Checkpoint) => boolean;
}

export function createOrders(checkpoints: readonly Checkpoint[]): Orders {
  const followed = new Map<string, Followed[]>();
  const states = new Map<Checkpoint, Followed>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.order === undefined) continue;
    const state = { checkpoint, run: 0, next: checkpoint.runs[0]?.[0] ?? 0, order: '' };
    states.set(checkpoint, state);
    followed.set(checkpoint.store, [...(followed.get(checkpoint.store) ?? []), state]);
  }
  for (const list of followed.values()) list.sort((one, other) => other.next - one.next);

  /** False where it follows nothing more. */
  function follow(state: Followed, { seq, turn }: VerifiedLink): boolean {
    const run = state.checkpoint.runs[state.run];
    if (run === undefined || state.next < seq) return false;
    if (state.next > seq) return true;
    state.order = orderBehind(state.order, seq, turn ?? 0);
    state.next += 1;
    if (seq < run[1]) return true;
    state.run += 1;
    state.next = state.checkpoint.runs[state.run]?.[0] ?? 0;
    return state.run < state.checkpoint.runs.length;
  }

  return {
    see: (entry) => {
      const list = followed.get(entry.store) ?? [];
      // The last of them is the first one that is met; others that meet this entry come right before it.
      for (let i = list.length - 1; i >= 0 && (list[i] as Followed).next <= entry.seq; i--)
        if (!follow(list[i] as Followed, entry)) list.splice(i, 1);
    },
    differs: (checkpoint) => {
      const state = states.get(checkpoint);
      return state?.run === checkpoint.runs.length && state.order !== checkpoint.order;
    },
  };
}
