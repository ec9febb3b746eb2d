/** Puts the steps of a session in front of the entries that were recorded behind them. */
import { arrivedAt } from '../exchange/index.js';
import type { PlacedStep } from './port.js';
import type { RecordedExchange } from './recorded.js';

/** `steps` in their order. */
export function withSteps(steps: readonly PlacedStep[]) {
  let next = 0;
  let reached = 0;
  const places = new Map(steps.flatMap(({ before }, i) => before.map((id) => [id, i + 1] as const)));
  const pass = (exchange: string): void => {
    reached = Math.max(reached, places.get(exchange) ?? 0);
  };
  return {
    /** An entry that is passed over: steps in front of it stand in front of the next one. */
    pass,
    /** The next entry, whichever were passed over before it. */
    take: (record: RecordedExchange) => {
      const { call } = record.exchange;
      pass(call.id);
      for (let step = steps[reached]; step?.since !== undefined; step = steps[reached]) {
        if (step.since > arrivedAt(call)) break;
        reached++;
      }
      if (reached === next) return [record];
      const befell = steps.slice(next, reached);
      next = reached;
      return [{ ...record, steps: befell.map(({ note }) => note) }];
    },
    close: () => [],
  };
}
