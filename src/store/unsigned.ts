/** Counts what was added to each session since its last checkpoint. */
import { hexOf } from './chain.js';
import type { GrownSession } from './driver.js';
import type { Unsigned } from './port.js';
import { orderBehind } from './turns.js';

interface Waiting {
  readonly session: string;
  readonly runs: [from: number, to: number][];
  head: string;
  recorded: number;
  order: string;
}

/** The end of a chain behind what a transaction added. */
interface GrownChain extends Pick<GrownSession, 'row' | 'last' | 'head'> {
  readonly name: string;
  /** Entries that are more than evidence. */
  readonly recorded: number;
}

export interface UnsignedRuns {
  /** What a transaction added, from the place `from` on, and its turns, where it has any. */
  readonly add: (tail: GrownChain, from: number, turns?: readonly number[]) => void;
  readonly take: (least: number, store: string) => Unsigned[];
}

export function createUnsigned(): UnsignedRuns {
  /** By the row of the session. */
  const waiting = new Map<number, Waiting>();
  return {
    add: ({ row, name, last, head, recorded }, from, turns = []) => {
      let one = waiting.get(row);
      if (one === undefined) {
        one = { session: name, runs: [], head, recorded: 0, order: '' };
        waiting.set(row, one);
      }
      const run = one.runs.at(-1);
      if (run?.[1] === from - 1) run[1] = last;
      else one.runs.push([from, last]);
      one.head = head;
      one.recorded += recorded;
      for (const [i, turn] of turns.entries()) one.order = orderBehind(one.order, from + i, turn);
    },
    take: (least, store) => {
      const taken: Unsigned[] = [];
      for (const [of, { session, runs, head, recorded, order }] of waiting) {
        if (recorded < least) continue;
        waiting.delete(of);
        const ordered = order === '' ? {} : { order };
        taken.push({ session, of, store, runs, ...ordered, head: hexOf(head) });
      }
      return taken;
    },
  };
}
