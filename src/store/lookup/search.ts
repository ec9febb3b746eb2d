/** Searches a session from its newest exchange back: what an index knows by the index, all else by looking at it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { matches } from '../filter/match.js';
import { type FilterTree, hasText } from '../filter/tree.js';
import type { ReadOptions, Store } from '../port.js';
import { createOpenCalls, type OpenCalls } from './open-calls.js';
import { readable, type Searchable } from './readable.js';

export interface IndexedSession {
  /** Complete up to this exchange. */
  readonly newest: string;
  readonly placeOf: (exchange: string) => number | undefined;
  /** From behind a place back, the newest first: what it knows of each exchange, and whether that fits filters. */
  readonly past: (trees: readonly FilterTree[], before: number, limit: number) => readonly PastRow[];
  /** From behind a place back, the newest first: every exchange that matches is among them. */
  readonly candidates: (tree: FilterTree, before: number | undefined, limit: number) => readonly Candidate[];
}

export interface Candidate {
  readonly place: number;
  readonly exchange: string;
  /** It does; else it may. */
  readonly fits: boolean;
}

export interface PastRow {
  readonly place: number;
  readonly exchange: string;
  /** The rest is known for certain; else the exchange has to be read. */
  readonly isCertain: boolean;
  readonly worst: string | null;
  /** null where no bank answered. */
  readonly bankMs: number | null;
  readonly fits: readonly boolean[];
}

export interface Index {
  /** null where nothing is known of it. */
  readonly session: (name: string) => IndexedSession | null;
  /** How many exchanges of a session it does not know yet. */
  readonly behind: (name: string) => number;
}

export interface SearchOptions {
  /** Goes on from behind this exchange, towards older ones. */
  readonly before?: string | undefined;
  /** So many at most, and the calls without end that were begun among them. */
  readonly limit: number;
}

export interface Found {
  /** Ids, the newest first; of a call without end where its beginning is recorded. */
  readonly exchanges: readonly string[];
  /** The ids among them of calls without end. */
  readonly unfinished: readonly string[];
  /** How many were read. */
  readonly examined: number;
  /** The exchange to go on from; null if nothing older is left. */
  readonly next: string | null;
  /** Everything up to this exchange is found by an index; null: nothing. */
  readonly indexedUpTo: string | null;
  /** How many exchanges the index does not know yet; null where there is none. */
  readonly behind: number | null;
}

/** Nobody waits for a filter that fits nothing in a session of a million; it goes on where it is asked to. */
export const MOST_EXAMINED = 5_000;
/** Some ms of work; then others have their turn. */
const TURN = 64;
/** Candidates that an index is asked for at once. */
const PAGE = 512;

export async function search(
  store: Searchable,
  index: Index | null,
  session: string,
  tree: FilterTree,
  { before, limit }: SearchOptions,
  calls = createOpenCalls(store),
): Promise<Found> {
  const open = await findUnfinished(store, calls, session, tree);
  const indexed = index?.session(session) ?? null;
  const exchanges: string[] = [];
  const unfinished: string[] = [];
  const known = { indexedUpTo: indexed?.newest ?? null, behind: index?.behind(session) ?? null };
  const isBrief = !hasText(tree);
  let examined = 0;
  let fitting = 0;
  let last = before;
  let place = before === undefined ? undefined : indexed?.placeOf(before);
  let isIndexed = place !== undefined;
  const isEnough = (): boolean => fitting === limit || examined === MOST_EXAMINED;
  const take = (id: string): void => {
    exchanges.push(id);
    fitting++;
  };
  const takeOpen = (ids: readonly string[] = []): void => {
    exchanges.push(...ids);
    unfinished.push(...ids);
  };
  const tell = (next: string | null): Found => ({ exchanges, unfinished, examined, next, ...known });
  if (before === undefined) takeOpen(open.get(null));

  while (!isIndexed) {
    const options = { backwards: true, limit: TURN, where: tree, isBrief } as const;
    const step = await look(store, session, { ...options, ...(last === undefined ? {} : { after: last }) });
    for (const { id, fits } of step) {
      isIndexed ||= id === known.indexedUpTo;
      if (isIndexed) break;
      if (isEnough()) return tell(last ?? null);
      examined++;
      last = id;
      if (fits) take(id);
      takeOpen(open.get(id));
    }
    if (!isIndexed && step.length < TURN) return tell(null);
    await nextTurn();
  }

  const fits = matches(tree);
  const left = createLeft(open, indexed, place);
  for (;;) {
    const candidates = indexed?.candidates(tree, place, PAGE) ?? [];
    for (const candidate of candidates) {
      if (isEnough()) {
        if (place !== undefined) takeOpen(left.from(place));
        return tell(last ?? null);
      }
      takeOpen(left.from(candidate.place + 1));
      place = candidate.place;
      last = candidate.exchange;
      if (candidate.fits) {
        take(candidate.exchange);
        continue;
      }
      examined++;
      const record = await readable(store, candidate.exchange, { isBrief });
      if (record !== null && fits(record)) take(candidate.exchange);
    }
    if (candidates.length < PAGE) {
      takeOpen(left.from(0));
      return tell(null);
    }
    await nextTurn();
  }
}

/** Calls without end among indexed exchanges, from behind a place back; each comes once. */
function createLeft(open: Unfinished, indexed: IndexedSession | null, before = Number.POSITIVE_INFINITY) {
  const left = [...open]
    .map(([next, ids]) => ({ ids, place: (next === null ? undefined : indexed?.placeOf(next)) ?? before }))
    .filter(({ place }) => place < before)
    .sort((a, b) => b.place - a.place);
  return {
    /** Calls that stand behind an exchange at this place, or at a newer one. */
    from: (place: number): string[] => {
      const end = left.findIndex((one) => one.place < place);
      return left.splice(0, end < 0 ? left.length : end).flatMap(({ ids }) => ids);
    },
  };
}

interface Looked {
  readonly id: string;
  readonly fits: boolean;
}

async function look(store: Searchable, session: string, options: ReadOptions): Promise<Looked[]> {
  const looked: Looked[] = [];
  const passed = (id: string) => looked.push({ id, fits: false });
  const rows = store.read(session, { ...options, onPassed: passed, onUnreadable: passed });
  for await (const { exchange } of rows) looked.push({ id: exchange.call.id, fits: true });
  return looked;
}

/** Ids of calls, the newest first, by the first exchange that was recorded behind their beginning; null: none was yet. */
export type Unfinished = ReadonlyMap<string | null, readonly string[]>;

export async function findUnfinished(
  store: Pick<Store, 'read' | 'find'>,
  calls: OpenCalls,
  session: string,
  tree: FilterTree,
): Promise<Unfinished> {
  const found = new Map<string | null, string[]>();
  const fits = matches(tree);
  for (const brief of await calls.of(session)) {
    const { id } = brief.exchange.call;
    const record = hasText(tree) ? await readable(store, id, {}) : brief;
    if (record === null || !fits(record)) continue;
    const next = await nextOf(store, session, id);
    found.set(next, [...(found.get(next) ?? []), id]);
  }
  return found;
}

async function nextOf(store: Pick<Store, 'read'>, session: string, id: string): Promise<string | null> {
  let next: string | null = null;
  const onUnreadable = (one: string): void => {
    next = one;
  };
  const options = { after: id, limit: 1, isBrief: true, onUnreadable };
  for await (const { exchange } of store.read(session, options)) return exchange.call.id;
  return next;
}
