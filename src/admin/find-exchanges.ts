/** Reads the newest exchanges of a session that match a filter. */
import {
  type FilterTree,
  type Found,
  type Lookup,
  type RecordedExchange,
  readable,
  type Store,
} from '../store/index.js';
import { createTurns } from './turns.js';

export interface Wanted {
  readonly session: string;
  readonly where: FilterTree;
  /** Goes on from behind this exchange, towards older ones. */
  readonly before?: string | undefined;
  /** So many at most. */
  readonly limit: number;
}

export interface FoundExchanges<T> extends Omit<Found, 'exchanges' | 'unfinished'> {
  /** The newest first. */
  readonly records: readonly T[];
}

export interface Searched {
  readonly store: Pick<Store, 'find'>;
  readonly search: Lookup['search'];
}

/** `look` takes what is wanted of each; long bodies are not read for it. */
export async function findExchanges<T>(
  { store, search }: Searched,
  { session, where, ...page }: Wanted,
  look: (record: RecordedExchange) => T,
): Promise<FoundExchanges<T>> {
  const { exchanges, unfinished: _, ...found } = await search(session, where, page);
  const turn = createTurns();
  const records: T[] = [];
  for (const id of exchanges) {
    const record = await readable(store, id, { isBrief: true });
    if (record === null) continue;
    records.push(look(record));
    const pause = turn(record);
    if (pause !== undefined) await pause;
  }
  return { ...found, records };
}
