/** Makes exchange ids for files that have none, from the order and time of arrival. */
import type { Exchange } from './exchange.js';
import { createIdSource } from './ids.js';

interface Recorded {
  readonly exchange: Exchange;
}

/** Records of a cassette, in the order of their ends; a call arrived when its bank was asked. */
export function withArrivalIds<R extends Recorded>(records: readonly R[]): R[] {
  const arrivalOf = ({ exchange: { call, elapsed } }: Recorded) => call.at + elapsed.total - elapsed.answerer;
  const byArrival = [...records].sort((a, b) => arrivalOf(a) - arrivalOf(b));
  let at = 0;
  const newId = createIdSource({ clock: () => at });
  const ids = new Map<R, string>();
  for (const record of byArrival) {
    at = Math.max(at, arrivalOf(record));
    ids.set(record, newId());
  }
  return records.map((record) => {
    const { exchange } = record;
    return {
      ...record,
      exchange: { ...exchange, call: exchange.call.with({ id: ids.get(record) as string }) },
    };
  });
}

/**
 * Records of a proxy or a browser in the order of their ends, each call with an id of when it began. Where all begin in
 * whole seconds, or at once, the clock does not tell what was under way at the same time: they are then taken for calls
 * one after the other, as they stand.
 */
export function inOrderOfEnds<R extends Recorded>(records: readonly R[]): R[] {
  const starts = records.map(({ exchange }) => exchange.call.at);
  const isCoarse = starts.every((at) => at % 1000 === 0) || new Set(starts).size === 1;
  let at = 0;
  const newId = createIdSource({ clock: () => at });
  const byStart = [...records].sort((a, b) => a.exchange.call.at - b.exchange.call.at);
  const withIds = byStart.map((record) => {
    const { exchange } = record;
    at = Math.max(at, exchange.call.at);
    const id = newId();
    if (isCoarse) at = Math.max(at, endOf(record));
    return { ...record, exchange: { ...exchange, call: exchange.call.with({ id }) } };
  });
  return isCoarse ? withIds : withIds.sort((a, b) => endOf(a) - endOf(b));
}

const endOf = ({ exchange: { call, elapsed } }: Recorded): number => call.at + elapsed.total;
