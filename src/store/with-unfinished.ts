/** Puts calls that were begun and have no end among the exchanges of their session. */
import type { Stage } from '../exchange/index.js';
import { matches } from './filter/match.js';
import type { FilterTree } from './filter/tree.js';
import type { RecordedExchange } from './recorded.js';

/** Each of `begun` (in order of id) that matches stands before the first record that began after it. */
export function withUnfinished(
  begun: readonly RecordedExchange[],
  where?: FilterTree,
): Stage<RecordedExchange, RecordedExchange> {
  const unfinished = where === undefined ? begun : begun.filter(matches(where));
  let next = 0;
  return {
    *take(record) {
      for (; isBefore(unfinished[next], record); next++) yield unfinished[next] as RecordedExchange;
      yield record;
    },
    close: () => unfinished.slice(next),
  };
}

function isBefore(one: RecordedExchange | undefined, other: RecordedExchange): boolean {
  return one !== undefined && one.exchange.call.id < other.exchange.call.id;
}
