/** Reads the newest exchanges of a session that match a filter. */
import type { FilterTree, Found, Lookup, RecordedExchange, Store } from '../store/index.js';

export interface Wanted {
  readonly session: string;
  readonly where: FilterTree;
  /** Goes on from behind this exchange, towards older ones. */
  readonly before?: string | undefined;
  /** So many at most. */
  readonly limit: number;
}

export interface FoundExchanges extends Omit<Found, 'exchanges'> {
  /** The newest first. */
  readonly records: readonly RecordedExchange[];
}

export interface Searched {
  readonly store: Pick<Store, 'find'>;
  readonly search: Lookup['search'];
}

export async function findExchanges(
  { store, search }: Searched,
  { session, where, ...page }: Wanted,
): Promise<FoundExchanges> {
  const { exchanges, ...found } = await search(session, where, page);
  const records = await Promise.all(exchanges.map((id) => store.find(id)));
  return { ...found, records: records.filter((record) => record !== null) };
}
