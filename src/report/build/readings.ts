/** The readings: what the specification leaves open, what was chosen for it, and what the answers of a recording did. */
import { clauseRow, READING_IDS, type ReadingId, readingRow } from '../../spec/index.js';
import type { Report } from '../model.js';
import { type Collector, createTallies } from './collector.js';
import { OBSERVERS } from './observed.js';
import { sourceOf } from './rule-text.js';

const MOST = 12;

export function collectReadings(): Collector<Report['readings']> {
  const observers = READING_IDS.flatMap((id) => {
    const observe = OBSERVERS[id];
    return observe === undefined ? [] : [{ id, observe, seen: createTallies(MOST) }];
  });
  return {
    take({ record: { exchange }, status }) {
      // A refusal by the gateway, or its own fault, says nothing of the bank.
      const source = exchange.answer?.source;
      if (status === null || exchange.call.direction === 'to-tpp') return;
      if (source === 'rule' || source === 'gateway') return;
      // Nor does one that an injected fault put in the place of the bank's.
      if (exchange.injected?.did !== undefined) return;
      for (const { observe, seen } of observers) {
        const value = observe(exchange, status);
        if (value !== null) seen.add(value);
      }
    },
    finish: () => {
      const seen = new Map<ReadingId, ReturnType<typeof createTallies>>(
        observers.map((observer) => [observer.id, observer.seen]),
      );
      return READING_IDS.map((id) => {
        const { clause, chosen, why, source } = readingRow(id);
        const { section, text } = clauseRow(clause);
        const { title, place } = sourceOf(source);
        return {
          id,
          clause,
          section,
          open: text,
          chosen,
          why,
          source: place === null ? title : `${title}, ${place}`,
          observed: seen.get(id)?.list() ?? [],
        };
      });
    },
  };
}
