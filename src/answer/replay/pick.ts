/** Chooses among several recorded answers to the same call. */

import type { Cursor, Entry, Part, Queue } from './entries.js';
import { stateOf } from './journeys.js';

export type Picked =
  | { readonly kind: 'entry'; readonly entry: Entry }
  /** All were given; `entry` is the last of them. */
  | { readonly kind: 'used-up'; readonly entry: Entry }
  /** Recorded only after a write that this run has not made yet, or only before one that it has made. */
  | { readonly kind: 'too-early' | 'too-late'; readonly entry: Entry; readonly write: number };

export type Accepts = (entry: Entry) => boolean;

/**
 * The next one in the order of recording, within the state that its consent or payment is in. Where that state goes on
 * for longer than in the recording, and another one is still to come, the last answer of the state stays true.
 */
export function pick(queue: Queue, signs: readonly string[], accepts?: Accepts): Picked {
  const first = queue.all.entries[0] as Entry;
  const journey = first.reads?.journey;
  // A life that this run has not touched is entered wherever the recording has this read first.
  if (journey === undefined || journey.current === null) return fromCursors(queue, signs, accepts);
  const state = stateOf(journey, journey.current);
  const parts = queue.byState.get(state);
  if (parts === undefined) return fromElsewhere(queue, state);
  const next = nextInState(parts, journey.current);
  if (next !== null) return { kind: 'entry', entry: next };
  const isLast = stateOf(journey, journey.writes.length) === state;
  return { kind: isLast ? 'used-up' : 'entry', entry: lastOf(parts) };
}

/** One that has the same signs, else the next one. */
function fromCursors({ all, bySign }: Queue, signs: readonly string[], accepts: Accepts | undefined): Picked {
  const { entries } = all;
  for (const cursor of [...signs.flatMap((sign) => bySign.get(sign) ?? []), all]) {
    const entry = nextOf(cursor, accepts);
    if (entry !== undefined) return { kind: 'entry', entry };
  }
  const fitting = accepts === undefined ? undefined : entries.findLast(accepts);
  return { kind: 'used-up', entry: fitting ?? (entries.at(-1) as Entry) };
}

function nextOf(cursor: Cursor, accepts: Accepts = () => true): Entry | undefined {
  for (let i = skipUsed(cursor); i < cursor.entries.length; i++) {
    const entry = cursor.entries[i] as Entry;
    if (entry.uses === 0 && accepts(entry)) return entry;
  }
  return undefined;
}

function skipUsed(cursor: Cursor): number {
  while ((cursor.entries[cursor.from]?.uses ?? 0) > 0) cursor.from++;
  return cursor.from;
}

/** Of the part of life that the run is in; else the nearest before it, else the first after it. */
function nextInState(parts: readonly Part[], part: number): Entry | null {
  const here = upTo(parts, part);
  const before = parts[unusedBefore(parts, here)];
  if (before !== undefined) return before.entries[before.from] as Entry;
  for (let i = here + 1; i < parts.length; i++) {
    const after = parts[i] as Part;
    const entry = after.entries[skipUsed(after)];
    if (entry !== undefined) return entry;
  }
  return null;
}

/** The position of the last of the parts that is none after `part`; -1: all are. */
function upTo(parts: readonly Part[], part: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle] as Part).part <= part) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** At a position or nearest before it; what was found used up is not looked at again. */
function unusedBefore(parts: readonly Part[], from: number): number {
  let found = from;
  for (let at = parts[found]; at !== undefined && skipUsed(at) >= at.entries.length; at = parts[found])
    found = at.before;
  for (let at = parts[from]; at !== undefined && at.before > found; ) {
    const { before } = at;
    at.before = found;
    at = parts[before];
  }
  return found;
}

const lastOf = (parts: readonly Part[]): Entry => parts.at(-1)?.entries.at(-1) as Entry;

function fromElsewhere(queue: Queue, state: number): Picked {
  const later = [...queue.byState].find(([other]) => other > state)?.[1][0]?.entries[0];
  if (later !== undefined) {
    const { writes } = (later.reads as NonNullable<Entry['reads']>).journey;
    const write = writes.find((one) => one.state > state)?.index ?? 0;
    return { kind: 'too-early', entry: later, write };
  }
  const earlier = lastOf([...queue.byState.values()].at(-1) as Part[]);
  const { writes } = (earlier.reads as NonNullable<Entry['reads']>).journey;
  const write = writes.find((one) => one.state === state)?.index ?? 0;
  return { kind: 'too-late', entry: earlier, write };
}

/** Counts the use, and moves on the journeys that it belongs to. They never go back. */
export function use(used: Pick<Entry, 'uses' | 'opens'> & { readonly reads?: Entry['reads'] }): void {
  used.uses++;
  for (const touched of [used.reads, used.opens]) {
    if (touched != null) touched.journey.current = Math.max(touched.journey.current ?? 0, touched.part);
  }
}

/** After entries of a queue were given back: all are looked at again. */
export function rewind({ all, bySign, byState, candidates }: Queue): void {
  candidates.byPlaces.clear();
  for (const cursor of [all, ...bySign.values()]) cursor.from = 0;
  for (const parts of byState.values())
    for (const [i, part] of parts.entries()) {
      part.from = 0;
      part.before = i - 1;
    }
}
