/** The clock of a test's gateway: it runs with the real one, optionally from another time, and can be moved. */
import { type Clock, isWithin, readSignedDuration, readSpeed } from '../app/index.js';
import { SandgateError } from '../spec/index.js';
import type { Moment, TestClock } from './types.js';

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
