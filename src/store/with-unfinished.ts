/** Reads a session together with calls that were begun and have no end. */
import type { RecordedExchange } from './port.js';

/** Each of `unfinished` (in order of id) stands before the first record that began after it. */
export function* withUnfinished(
  records: Iterable<RecordedExchange>,
  unfinished: readonly RecordedExchange[],
): IterableIterator<RecordedExchange> {
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
