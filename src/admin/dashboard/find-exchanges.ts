/** Reads the newest exchanges of a session that match a filter. */
import type { FilterTree, Found, RecordedExchange } from '../../store/index.js';
import type { DashboardPort } from './port.js';

export interface Wanted {
  readonly session: string;
  readonly where: FilterTree;
  /** Goes on from behind this exchange, towards older ones. */
  readonly before?: string | undefined;
  /** So many at most. */
  readonly limit: number;
}

export interface FoundExchanges extends Pick<Found, 'examined' | 'next'> {
  /** The newest first. */
  readonly records: readonly RecordedExchange[];
}

export async function findExchanges(
  { store, search }: Pick<DashboardPort, 'store' | 'search'>,
  { session, where, ...page }: Wanted,
): Promise<FoundExchanges> {
  const { exchanges, examined, next } = await search(session, where, page);
  const records = await Promise.all(exchanges.map((id) => store.find(id)));
  return { records: records.filter((record) => record !== null), examined, next };
}
