/** Thins out exchanges for a client that sets a limit a second. */
import * as z from 'zod';
import type { RecordedExchange } from '../../store/index.js';
import { count } from '../api/schemas.js';

export const leftOut = z
  .object({
    exchanges: count,
    errors: count.describe('Those without an answer, or with one of 400 or more.'),
    musts: count.describe('Violated musts in them that are not waived.'),
  })
  .describe(
    'Only in `missed`, if more come a second than `most`: what was not sent since the last such alert.',
  );

export type Thinned = ReturnType<Thinning['look']>;

export type Thinning = ReturnType<typeof createThinning>;

const NEWEST = 10;

export function createThinning(most: number, stopwatch: () => number) {
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
    /** More was recorded already than is told: it is over the limit from the beginning. */
    begin: (): void => {
      isOver = true;
    },
    /** The calls that are to be told at once: all of them or none. */
    take: (records: readonly RecordedExchange[]): readonly RecordedExchange[] => {
      if (pace.add(records.length)) isOver = true;
      if (!isOver) return records;
      leave(records);
      return [];
    },
    /** Once a second while it is over: what was left out since the last look, and `total` since it began. */
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

const SECOND_MS = 1_000;
/** Damps the limit: once over it, it stays over until so much less comes. */
const QUIETER = 0.75;

/** `most`: a second; more is too much at once, and until a whole second has less. `stopwatch`: in ms. */
export function createPace(most: number, stopwatch: () => number) {
  let begun = stopwatch();
  let [count, last, over] = [0, 0, false];

  const look = (): void => {
    const past = stopwatch() - begun;
    if (past < SECOND_MS) return;
    last = (count * SECOND_MS) / past;
    over &&= last > most * QUIETER;
    begun += past;
    count = 0;
  };
  return {
    /** True: more come than is followed. */
    add: (more: number): boolean => {
      look();
      count += more;
      over ||= count > most;
      return over;
    },
    isOver: (): boolean => {
      look();
      return over;
    },
    /** A second: of the last whole one, or of this one if it has more already. */
    rate: () => Math.round(Math.max(last, count)),
  };
}
