/** The bank's own deviations: what it did otherwise, in which answers, and what a client may rely on all the same. */
import type { FindingGroup, Report } from '../model.js';
import { type Collector, createTallies, order } from './collector.js';
import { RELIANCE, RELY_ON_NOTHING } from './reliance.js';

interface Seen {
  readonly sources: Set<string>;
  readonly seen: ReturnType<typeof createTallies>;
  readonly operations: Set<string>;
  readonly exchanges: string[];
}

const MOST_SEEN = 8;
const MOST_EXCHANGES = 5;

/** By rule; closed with the groups of findings. */
export function collectDeviations(): Collector<
  (groups: readonly FindingGroup[]) => Report['bankDeviations']
> {
  const found = new Map<string, Seen>();
  return {
    take({ record: { exchange, findings } }) {
      for (const { rule, judges, place, actual } of findings) {
        if (judges !== 'aspsp') continue;
        const row = found.get(rule) ?? {
          sources: new Set(),
          seen: createTallies(MOST_SEEN),
          operations: new Set(),
          exchanges: [],
        };
        found.set(rule, row);
        row.sources.add(exchange.answer?.source ?? 'none');
        row.operations.add(exchange.call.operation ?? exchange.call.listener);
        row.seen.add(actual === undefined ? `${place}: missing` : `${place}: ${actual}`);
        const { id } = exchange.call;
        if (row.exchanges.length < MOST_EXCHANGES && row.exchanges.at(-1) !== id) row.exchanges.push(id);
      }
    },
    finish: () => (groups) =>
      groups.flatMap(({ rule, severity, statement, count }) => {
        const row = found.get(rule);
        if (row === undefined) return [];
        return [
          {
            rule,
            severity,
            statement,
            count,
            operations: [...row.operations].sort(order),
            sources: [...row.sources].sort(order),
            seen: row.seen.list().map(({ value }) => value),
            rely: RELIANCE[rule] ?? RELY_ON_NOTHING,
            exchanges: row.exchanges,
          },
        ];
      }),
  };
}
