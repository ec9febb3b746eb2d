/** Ids for the calls of a file that holds none: they tell in which order the calls arrived, and when. */
import { CLOCK_STEP_MS } from '../exchange.js';
import { createIdSource } from '../ids.js';

/** In epoch ms and ms, with the place in the file. */
export interface TimedEntry {
  readonly index: number;
  readonly at: number;
  readonly total: number;
  readonly answerer: number;
}

export interface OrderedEntry {
  readonly index: number;
  readonly at: number;
  readonly id: string;
}

/**
 * Of a cassette, in the order of their ends as they stand; a call arrived when its bank was asked. Times are whole ms:
 * of a call less than one before the call in front of it nobody knows that it came first.
 */
export function withArrivalIds<E extends TimedEntry>(entries: readonly E[]): (E & OrderedEntry)[] {
  let before = Number.NEGATIVE_INFINITY;
  const arrivals = entries.map(({ index, at, total, answerer }) => {
    const arrival = at + total - answerer;
    const isInOrder = arrival < before && before < arrival + CLOCK_STEP_MS;
    before = isInOrder ? before : arrival;
    return { index, arrival: before };
  });
  let at = 0;
  const newId = createIdSource({ clock: () => at });
  const ids = new Map<number, string>();
  for (const { index, arrival } of arrivals.sort((a, b) => a.arrival - b.arrival)) {
    at = Math.max(at, arrival);
    ids.set(index, newId());
  }
  return entries.map((entry) => ({ ...entry, id: ids.get(entry.index) as string }));
}

/**
 * Of a proxy or a browser, in the order of their ends, each call with an id of when it began. Where all begin in whole
 * seconds, or at once, the clock does not tell what was under way at the same time: they are then taken for calls one
 * after the other, as they stand.
 */
export function inOrderOfEnds(entries: readonly TimedEntry[]): OrderedEntry[] {
  const isCoarse =
    entries.every(({ at }) => at % 1000 === 0) || new Set(entries.map(({ at }) => at)).size === 1;
  let now = 0;
  const newId = createIdSource({ clock: () => now });
  const withIds = [...entries]
    .sort((a, b) => a.at - b.at)
    .map((entry) => {
      now = Math.max(now, entry.at);
      const id = newId();
      if (isCoarse) now = Math.max(now, endOf(entry));
      return { ...entry, id };
    });
  return isCoarse ? withIds : withIds.sort((a, b) => endOf(a) - endOf(b));
}

const endOf = ({ at, total }: TimedEntry): number => at + total;
