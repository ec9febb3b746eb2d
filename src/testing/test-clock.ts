/** A clock that runs with the real one, optionally from another time, and can be moved forward. */
import { readDuration } from '../app/index.js';
import { SandgateError } from '../spec/index.js';

export interface TestClock {
  /** Epoch ms, as the gateway sees it. */
  readonly now: () => number;
  /** Puts the clock forward, by so many ms or by `500ms`, `10s`, `5m`, `2h`, `1d`, `1w`. */
  readonly advance: (by: number | string) => void;
}

/** A moment: epoch ms, anything that `Date` reads, or a `Date`. */
export type Moment = number | string | Date;

/** `real` is the clock of the machine. */
export function createTestClock(real: () => number, start?: Moment): TestClock {
  let ahead = start === undefined ? 0 : momentOf(start) - real();
  return {
    now: () => real() + ahead,
    advance: (by) => {
      ahead += durationOf(by);
    },
  };
}

export function momentOf(moment: Moment): number {
  const ms = typeof moment === 'number' ? moment : new Date(moment).getTime();
  if (!Number.isNaN(new Date(ms).getTime())) return ms;
  throw new SandgateError('testing.clock-start', { moment: String(moment) });
}

/** Never backwards: what was recorded must stay in order. */
function durationOf(by: number | string): number {
  const ms = typeof by === 'number' ? by : (readDuration(by) ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  throw new SandgateError('testing.clock-advance', { by: String(by) });
}
