/** Reads a session together with calls that were begun and have no end. */
import { matches } from './filter/match.js';
import type { FilterTree } from './filter/tree.js';
import type { RecordedExchange } from './recorded.js';

/** Each of `begun` (in order of id) that matches stands before the first record that began after it. */
export function* withUnfinished(
  records: Iterable<RecordedExchange>,
  begun: readonly RecordedExchange[],
  where?: FilterTree,
): IterableIterator<RecordedExchange> {
  const unfinished = where === undefined ? begun : begun.filter(matches(where));
  let next = 0;
  for (const record of records) {
    for (; isBefore(unfinished[next], record); next++) yield unfinished[next] as RecordedExchange;
    yield record;
  }
  yield* unfinished.slice(next);
}

function isBefore(one: RecordedExchange | undefined, other: RecordedExchange): boolean {
  return one !== undefined && one.exchange.call.id < other.exchange.call.id;
}
