/** Puts calls that were begun and have no end among the exchanges of their session. */
import type { Stage } from '../exchange/index.js';
import { matches } from './filter/match.js';
import type { FilterTree } from './filter/tree.js';
import type { RecordedExchange } from './recorded.js';

/** Each of `begun` that matches stands before the first record that began after it. */
export function withUnfinished(
  begun: readonly RecordedExchange[],
  where?: FilterTree,
): Stage<RecordedExchange, RecordedExchange> {
  const wanted = where === undefined ? begun : begun.filter(matches(where));
  // The beginning of a streamed exchange is recorded late.
  const unfinished = wanted.toSorted(byId);
  let next = 0;
  return {
    *take(record) {
      for (; isBefore(unfinished[next], record); next++) yield unfinished[next] as RecordedExchange;
      yield record;
    },
    close: () => unfinished.slice(next),
  };
}

const byId = (one: RecordedExchange, other: RecordedExchange): number =>
  one.exchange.call.id < other.exchange.call.id ? -1 : 1;

function isBefore(one: RecordedExchange | undefined, other: RecordedExchange): boolean {
  return one !== undefined && one.exchange.call.id < other.exchange.call.id;
}
