/** Searches a session from its newest exchange back: what an index knows by the index, all else by looking at it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SandgateError } from '../../spec/index.js';
import { matches } from '../filter/match.js';
import type { FilterTree } from '../filter/tree.js';
import type { FindOptions, ReadOptions, Store } from '../port.js';
import type { RecordedExchange } from '../recorded.js';

export interface IndexedSession {
  /** Complete up to this exchange. */
  readonly newest: string;
  readonly placeOf: (exchange: string) => number | undefined;
  /** From behind a place back, the newest first: every exchange that matches is among them. */
  readonly candidates: (tree: FilterTree, before: number | undefined, limit: number) => readonly Candidate[];
}

export interface Candidate {
  readonly place: number;
  readonly exchange: string;
  /** It does; else it may. */
  readonly fits: boolean;
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
  /** So many at most. */
  readonly limit: number;
}

export interface Found {
  /** Ids, the newest first. */
  readonly exchanges: readonly string[];
  /** How many were read. */
  readonly examined: number;
  /** Where to go on from; null where nothing older is left. */
  readonly next: string | null;
  /** Everything up to this exchange is found by an index; null: nothing. */
  readonly indexedUpTo: string | null;
  /** How many exchanges the index does not know yet; null where there is none. */
  readonly behind: number | null;
}

export type Searchable = Pick<Store, 'read' | 'find'>;

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
): Promise<Found> {
  const indexed = index?.session(session) ?? null;
  const exchanges: string[] = [];
  const known = { indexedUpTo: indexed?.newest ?? null, behind: index?.behind(session) ?? null };
  const isBrief = !hasText(tree);
  let examined = 0;
  let last = before;
  let place = before === undefined ? undefined : indexed?.placeOf(before);
  let isIndexed = place !== undefined;

  while (!isIndexed) {
    const options = { backwards: true, limit: TURN, where: tree, isBrief } as const;
    const step = await look(store, session, { ...options, ...(last === undefined ? {} : { after: last }) });
    for (const { id, fits } of step) {
      isIndexed ||= id === known.indexedUpTo;
      if (isIndexed) break;
      if (exchanges.length === limit || examined === MOST_EXAMINED)
        return { exchanges, examined, next: last ?? null, ...known };
      examined++;
      last = id;
      if (fits) exchanges.push(id);
    }
    if (!isIndexed && step.length < TURN) return { exchanges, examined, next: null, ...known };
    await nextTurn();
  }

  const fits = matches(tree);
  for (;;) {
    const candidates = indexed?.candidates(tree, place, PAGE) ?? [];
    for (const candidate of candidates) {
      if (exchanges.length === limit || examined === MOST_EXAMINED)
        return { exchanges, examined, next: last ?? null, ...known };
      place = candidate.place;
      last = candidate.exchange;
      if (candidate.fits) {
        exchanges.push(candidate.exchange);
        continue;
      }
      examined++;
      const record = await readable(store, candidate.exchange, { isBrief });
      if (record !== null && fits(record)) exchanges.push(candidate.exchange);
    }
    if (candidates.length < PAGE) return { exchanges, examined, next: null, ...known };
    await nextTurn();
  }
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

/** null where it was removed meanwhile, or is not as it was recorded. */
export async function readable(
  store: Pick<Store, 'find'>,
  id: string,
  options: FindOptions,
): Promise<RecordedExchange | null> {
  try {
    return await store.find(id, options);
  } catch (error) {
    if (error instanceof SandgateError && error.kind === 'wanting') return null;
    throw error;
  }
}

/** Whether bodies are looked at for it. */
export function hasText(tree: FilterTree): boolean {
  if ('not' in tree) return hasText(tree.not);
  if ('and' in tree) return tree.and.some(hasText);
  return 'or' in tree ? tree.or.some(hasText) : tree.field === 'text';
}
