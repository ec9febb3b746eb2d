/** Hands the calls of a process on to the one that started it, which tells those of all. */
import { type Brief, briefOf } from '../../admin/exchanges/index.js';
import type { Sandgate } from '../../app/gateway/index.js';

export interface HandedCalls {
  readonly calls: readonly Brief[];
  /** So many before them were not handed on. */
  readonly missing: number;
}

/** Calls on their way, which one that is stopped does not take. */
const MOST_WAITING = 5_000;

/** `send` resolves when they are on their way. The function given back ends it, once all that was kept is. */
export function handOnCalls(
  feed: Sandgate['feed'],
  send: (handed: HandedCalls) => Promise<void>,
): () => Promise<void> {
  let waiting = 0;
  let missing = 0;
  let last = Promise.resolve();
  const hand = (calls: readonly Brief[]): void => {
    waiting += calls.length;
    last = send({ calls, missing }).finally(() => {
      waiting -= calls.length;
    });
    missing = 0;
  };
  const stop = feed.listen({
    take: ({ records }) => {
      if (waiting > MOST_WAITING) missing += records.length;
      else if (records.length > 0) hand(records.map(briefOf));
    },
    lost: (count) => {
      missing += count;
    },
    stirred: () => {},
  });
  return async () => {
    await feed.idle();
    stop();
    if (missing > 0) hand([]);
    await last;
  };
}
