/** Chooses among several recorded answers to the same call. */

import type { Cursor, Entry, Queue, State } from './entries.js';
import { type Journey, stateOf } from './journeys.js';

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
  // A journey that this run has not reached is entered wherever the recording has this read first.
  if (journey === undefined || journey.current === null) return fromCursors(queue, signs, accepts);
  const state = stateOf(journey, journey.current);
  const answers = queue.byState.get(state);
  if (answers === undefined) return fromElsewhere(queue, journey, state);
  const next = nextInState(answers, journey.current);
  if (next !== null) return { kind: 'entry', entry: next };
  const isLast = stateOf(journey, journey.writes.length) === state;
  return { kind: isLast ? 'used-up' : 'entry', entry: lastOf(answers) };
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

/** The next entry of the current part; else of the nearest part before it, else of the first after it. */
function nextInState(state: State, part: number): Entry | null {
  const { parts, reached } = state;
  for (let next = parts[state.from]; next !== undefined && next.part <= part; next = parts[++state.from])
    reached.push(next);
  for (let last = reached.at(-1); last !== undefined; last = reached.at(-1)) {
    const entry = last.entries[skipUsed(last)];
    if (entry !== undefined) return entry;
    reached.pop();
  }
  for (const after of parts.slice(state.from)) {
    const entry = after.entries[skipUsed(after)];
    if (entry !== undefined) return entry;
  }
  return null;
}

const lastOf = ({ parts }: State): Entry => parts.at(-1)?.entries.at(-1) as Entry;

function fromElsewhere({ byState }: Queue, { writes }: Journey, state: number): Picked {
  const indexOf = (isIt: (one: number) => boolean) => writes.find((one) => isIt(one.state))?.index ?? 0;
  const later = [...byState].find(([other]) => other > state)?.[1].parts[0]?.entries[0];
  if (later !== undefined)
    return { kind: 'too-early', entry: later, write: indexOf((other) => other > state) };
  const earlier = lastOf([...byState.values()].at(-1) as State);
  return { kind: 'too-late', entry: earlier, write: indexOf((other) => other === state) };
}

/** Counts the use, and moves on the journeys that it belongs to. They never go back. */
export function use(entry: Entry): void {
  entry.uses++;
  for (const reached of [entry.reads, entry.opens])
    if (reached !== null) reached.journey.current = Math.max(reached.journey.current ?? 0, reached.part);
}

/** After entries of a queue were given back: all are looked at again. */
export function rewind({ all, bySign, byState, candidates }: Queue): void {
  candidates.byPlaces.clear();
  for (const cursor of [all, ...bySign.values()]) cursor.from = 0;
  for (const state of byState.values()) {
    state.from = 0;
    state.reached.length = 0;
    for (const part of state.parts) part.from = 0;
  }
}
