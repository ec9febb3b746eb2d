/** Which entries of a chain its checkpoints cover, and whether time stamps show when these were made. */
import { firstPlace } from '../spec/index.js';
import { type ChainNote, orderBehind, readRemoved, type VerifiedLink } from '../store/index.js';
import type { Checkpoint } from './checkpoint.js';
import type { CheckedTimeStamp, StampState } from './time-stamp/index.js';

type Range = readonly [from: number, to: number];

/** The entries of one chain that are sound by their links, each by its place. */
export interface SeenChain {
  readonly exchanges: Map<number, string>;
  readonly notes: Map<number, string>;
  /** The notes by which contents were erased, by the places of these. */
  readonly erased: Map<number, NonNullable<VerifiedLink['erasedBy']>>;
  /** The first place of each run of entries without a gap, in order. */
  readonly starts: number[];
  last: number;
}

export const newChain = (): SeenChain => ({
  exchanges: new Map(),
  notes: new Map(),
  erased: new Map(),
  starts: [],
  last: -1,
});

export function seeLink(chain: SeenChain, { seq, exchange, note, erasedBy }: VerifiedLink): void {
  if (seq !== chain.last + 1) chain.starts.push(seq);
  chain.last = seq;
  if (erasedBy !== undefined) chain.erased.set(seq, erasedBy);
  if (exchange !== null) chain.exchanges.set(seq, exchange);
  else chain.notes.set(seq, note ?? '');
}

export type Covers = (seq: number) => boolean;

/**
 * A checkpoint says nothing of what stands in front of a gap, because the note on the removal says where the chain goes
 * on behind it. The newest such note, where it is covered itself, covers the notes that stay in front of its gaps.
 */
export function coverageOf(
  chain: SeenChain,
  checkpoints: readonly Checkpoint[],
  removed: ChainNote | undefined,
): Covers {
  const signed = checkpoints.flatMap(({ runs, entries }) => {
    const start = startBefore(chain.starts, entries);
    return runs.map(([from, to]): Range => [Math.max(from, start), Math.min(to, entries)]);
  });
  const covers = within(signed);
  const gaps =
    removed !== undefined && covers(removed.seq) ? (readRemoved(removed.settings)?.gaps ?? []) : [];
  if (gaps.length === 0) return covers;
  const held = gaps
    .filter(([, , , before = '']) => before !== '')
    .map(([from]): Range => [startBefore(chain.starts, from - 1), from - 1]);
  return within([...signed, ...held]);
}

function startBefore(starts: readonly number[], place: number): number {
  return starts[countUpTo(starts, place) - 1] ?? Number.POSITIVE_INFINITY;
}

function within(ranges: readonly Range[]): Covers {
  const joined: [from: number, to: number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else if (from <= to) joined.push([from, to]);
  }
  const starts = joined.map(([from]) => from);
  return (seq) => seq <= (joined[countUpTo(starts, seq) - 1]?.[1] ?? -1);
}

function countUpTo(places: readonly number[], most: number): number {
  return firstPlace(places.length, (place) => (places[place] as number) > most);
}

interface Followed {
  readonly checkpoint: Checkpoint;
  run: number;
  next: number;
  order: string;
}

export function createOrders(checkpoints: readonly Checkpoint[]) {
  const followed = new Map<string, Followed[]>();
  const states = new Map<Checkpoint, Followed>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.order === undefined) continue;
    const state = { checkpoint, run: 0, next: checkpoint.runs[0]?.[0] ?? 0, order: '' };
    states.set(checkpoint, state);
    followed.set(checkpoint.store, [...(followed.get(checkpoint.store) ?? []), state]);
  }
  for (const list of followed.values()) list.sort((one, other) => other.next - one.next);

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
    see: (entry: VerifiedLink): void => {
      const list = followed.get(entry.store) ?? [];
      // The last of them is the first one that is met; others that meet this entry come right before it.
      for (let i = list.length - 1; i >= 0 && (list[i] as Followed).next <= entry.seq; i--)
        if (!follow(list[i] as Followed, entry)) list.splice(i, 1);
    },
    /** Whether an entry has another turn than the one that was signed. Where one is gone, nobody can tell. */
    differs: (checkpoint: Checkpoint): boolean => {
      const state = states.get(checkpoint);
      return state?.run === checkpoint.runs.length && state.order !== checkpoint.order;
    },
  };
}

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
