/** Reads the newest exchanges of a session that match a filter. */

import { setImmediate } from 'node:timers/promises';
import {
  type FilterTree,
  type Found,
  type Lookup,
  type RecordedExchange,
  readable,
  type Store,
} from '../store/index.js';

interface Wanted {
  readonly session: string;
  readonly where: FilterTree;
  readonly before?: string | undefined;
  readonly limit: number;
}

interface FoundExchanges<T> extends Omit<Found, 'exchanges' | 'unfinished'> {
  readonly records: readonly T[];
}

type Searched = { readonly store: Pick<Store, 'find'>; readonly search: Lookup['search'] };

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

/** Some ms of work: so many exchanges, or so many characters of their bodies. */
const A_TURN = 20;
const A_TURN_OF_TEXT = 500_000;

export function createTurns(): (record: RecordedExchange) => Promise<void> | undefined {
  let exchanges = 0;
  let text = 0;
  return ({ exchange: { call, answer } }) => {
    exchanges += 1;
    text += (call.request.body?.text.length ?? 0) + (answer?.body?.text.length ?? 0);
    if (exchanges < A_TURN && text < A_TURN_OF_TEXT) return undefined;
    exchanges = 0;
    text = 0;
    return setImmediate();
  };
}
