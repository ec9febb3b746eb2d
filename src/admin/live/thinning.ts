/** What a client is told that does not want more exchanges a second than it says. */
import * as z from 'zod';
import type { RecordedExchange } from '../../store/index.js';
import { count, type Shown } from '../api/schemas.js';
import { createPace } from './pace.js';

export const leftOut = z
  .object({
    exchanges: count,
    errors: count.describe('Those without an answer, or with one of 400 or more.'),
    musts: count.describe('Violated musts in them that are not waived.'),
  })
  .describe('Of `missed`, where more come a second than `most`: what was not told since it was raised last.');

export type LeftOut = Shown<typeof leftOut>;

export interface Thinned {
  /** No: whatever comes from now on is told. */
  readonly isOver: boolean;
  /** Calls a second. */
  readonly rate: number;
  /** Since it was told last. */
  readonly leftOut: LeftOut;
  /** Since it began. */
  readonly total: number;
  /** The newest of those that were left out, in the order of recording. */
  readonly newest: readonly RecordedExchange[];
}

export interface Thinning {
  /** Of those that came, the ones that are to be told at once: all of them or none. */
  readonly take: (records: readonly RecordedExchange[]) => readonly RecordedExchange[];
  /** More was recorded already than is told: it is over from the beginning. */
  readonly begin: () => void;
  readonly isOver: () => boolean;
  /** At any time. */
  readonly hasLeftOut: () => boolean;
  /** Once a second while it is over. */
  readonly look: () => Thinned;
}

/** So many are told a second, as many as one can look at. */
const NEWEST = 10;

export function createThinning(most: number, stopwatch: () => number): Thinning {
  const pace = createPace(most, stopwatch);
  let [isOver, hasLeftOut] = [false, false];
  let [exchanges, errors, musts, total] = [0, 0, 0, 0];
  let newest: readonly RecordedExchange[] = [];

  // Done for each exchange of a load that leaves no time for more.
  const leave = (records: readonly RecordedExchange[]): void => {
    hasLeftOut = true;
    exchanges += records.length;
    for (const { exchange, findings } of records) {
      const { answer } = exchange;
      if (answer === null || answer.status >= 400) errors += 1;
      for (const { severity, waived } of findings)
        if (severity === 'must' && waived === undefined) musts += 1;
    }
    newest = records.length < NEWEST ? [...newest, ...records].slice(-NEWEST) : records.slice(-NEWEST);
  };
  return {
    isOver: () => isOver,
    hasLeftOut: () => hasLeftOut,
    begin: () => {
      isOver = true;
    },
    take: (records) => {
      if (pace.add(records.length)) isOver = true;
      if (!isOver) return records;
      leave(records);
      return [];
    },
    look: () => {
      isOver = pace.isOver();
      total += exchanges;
      const thinned = { isOver, rate: pace.rate(), leftOut: { exchanges, errors, musts }, total, newest };
      [exchanges, errors, musts] = [0, 0, 0];
      newest = [];
      if (!isOver) total = 0;
      return thinned;
    },
  };
}
