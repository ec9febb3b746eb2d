/** The clock of a test's gateway: it runs with the real one, optionally from another time, and can be moved. */
import { type Clock, isWithin, readSignedDuration, readSpeed } from '../app/index.js';
import { SandgateError } from '../spec/index.js';

export interface TestClock {
  /** Epoch ms, as the gateway sees it. */
  readonly now: () => number;
  /** Sets the clock, backwards too; it goes on from there as it went before. */
  readonly set: (moment: Moment) => void;
  /** Moves the clock by so many ms or by `500ms`, `10s`, `5m`, `2h`, `1d`, `1w`; backwards by `-1d`. */
  readonly advance: (by: number | string) => void;
  /** Stops the clock, until it is told to run. */
  readonly freeze: () => void;
  /** Lets the clock run on from what it shows, at a speed: 2, `1h/1m`, `1d/1s` (a day in each second). */
  readonly run: (speed?: number | string) => void;
}

/** A moment: epoch ms, anything that `Date` reads, or a `Date`. */
export type Moment = number | string | Date;

export function testClockOf(clock: Pick<Clock, 'now' | 'change'>): TestClock {
  return {
    now: clock.now,
    set: (moment) => clock.change({ now: momentOf(moment, 'testing.clock-set') }),
    advance: (by) => clock.change({ advance: durationOf(by) }),
    freeze: () => clock.change({ mode: 'frozen' }),
    run: (speed = 1) => {
      const read = readSpeed(String(speed));
      if (read === undefined) throw new SandgateError('testing.clock-speed', { speed: String(speed) });
      clock.change({ mode: 'running', speed: read });
    },
  };
}

/** Epoch ms. `problem`: what it is that cannot be meant. */
export function momentOf(
  moment: Moment,
  problem: 'testing.clock-start' | 'testing.clock-set' = 'testing.clock-start',
): number {
  const ms = typeof moment === 'number' ? moment : new Date(moment).getTime();
  if (isWithin(ms)) return ms;
  throw new SandgateError(problem, { moment: String(moment) });
}

function durationOf(by: number | string): number {
  const ms = typeof by === 'number' ? by : (readSignedDuration(by) ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.round(ms);
  throw new SandgateError('testing.clock-advance', { by: String(by) });
}
