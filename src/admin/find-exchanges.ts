/**
 * Finds the newest exchanges of a session that match a filter, in short turns so that calls are answered in between.
 */
import { setImmediate } from 'node:timers/promises';
import { type FilterTree, matches, type RecordedExchange, type Store } from '../store/index.js';

export interface Wanted {
  readonly session: string;
  readonly where?: FilterTree;
  /** Goes on from behind this exchange, towards older ones. */
  readonly before?: string | undefined;
  /** So many at most. */
  readonly limit: number;
}

export interface FoundExchanges {
  /** The newest first. */
  readonly records: readonly RecordedExchange[];
  readonly examined: number;
  /** Where to go on from; null at the beginning of the session. */
  readonly next: string | null;
}

/** Nobody waits for a filter that fits nothing in a session of a million. */
export const MOST_EXAMINED = 5_000;
/** Some ms of work. */
const TURN = 20;

export async function findExchanges(
  store: Pick<Store, 'read'>,
  { session, where, before, limit }: Wanted,
): Promise<FoundExchanges> {
  const fits = where === undefined ? () => true : matches(where);
  const records: RecordedExchange[] = [];
  let examined = 0;
  let last: string | null = null;
  const all = store.read(session, { backwards: true, ...(before === undefined ? {} : { after: before }) });
  for await (const record of all) {
    if (records.length === limit || examined === MOST_EXAMINED) return { records, examined, next: last };
    examined++;
    last = record.exchange.call.id;
    if (fits(record)) records.push(record);
    if (examined % TURN === 0) await setImmediate();
  }
  return { records, examined, next: null };
}
