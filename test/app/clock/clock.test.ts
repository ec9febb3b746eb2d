/** The clock by which calls are judged: what it shows, and what it lets happen at its times. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockChange, createClock } from '../../../src/app/clock/clock.js';
import { LATEST } from '../../../src/app/config/times.js';
import { NOW } from '../../builders.js';
import { aMachine } from './a-machine.js';

const DAY = 86_400_000;
const aSpeed = (factor: number) => ({ text: String(factor), factor });

function aClock() {
  const machine = aMachine(NOW);
  const clock = createClock({ machine: machine.now, timer: machine.timer });
  const rung: number[] = [];
  return { clock, ...machine, rung, ringAt: (time: number) => clock.at(time, () => rung.push(time - NOW)) };
}

describe('the clock', () => {
  it('is that of the machine until it is moved', () => {
    const { clock, pass } = aClock();
    pass(5_000);
    expect(clock.time()).toEqual({ at: NOW + 5_000, ahead: 0 });
    expect(clock.state().mode).toBe('real');
  });

  it('runs on from where it was set, in both directions', () => {
    const { clock, pass } = aClock();
    clock.change({ advance: 90 * DAY });
    pass(10);
    expect(clock.time()).toEqual({ at: NOW + 90 * DAY + 10, ahead: 90 * DAY });
    clock.change({ now: NOW - DAY });
    pass(10);
    expect(clock.time()).toEqual({ at: NOW - DAY + 10, ahead: -DAY - 10 });
  });

  it('tells nobody of a move to the machine’s time where it shows that', () => {
    const { clock } = aClock();
    const modes: string[] = [];
    clock.onChange(({ after }) => modes.push(after.mode));
    for (const mode of ['real', 'frozen', 'real', 'real'] as const) clock.change({ mode });
    expect(modes).toEqual(['frozen', 'real']);
  });

  it('stands still while it is frozen, also where it is set, and then goes on', () => {
    const { clock, pass } = aClock();
    clock.change({ mode: 'frozen' });
    pass(60_000);
    expect(clock.now()).toBe(NOW);
    clock.change({ advance: DAY });
    pass(60_000);
    expect(clock.now()).toBe(NOW + DAY);
    clock.change({ mode: 'running' });
    pass(1);
    expect(clock.now()).toBe(NOW + DAY + 1);
  });

  it('goes at its speed, loses nothing when the speed changes, and returns to the machine', () => {
    const { clock, pass } = aClock();
    clock.change({ speed: aSpeed(86_400) });
    pass(1_000);
    expect(clock.now()).toBe(NOW + DAY);
    clock.change({ speed: aSpeed(0.5) });
    for (let i = 0; i < 3; i++) {
      pass(1);
      clock.change({ speed: aSpeed(0.5) });
    }
    pass(1);
    expect(clock.now()).toBe(NOW + DAY + 2);
    clock.change({ mode: 'real' });
    expect(clock.time()).toEqual({ at: NOW + 1_004, ahead: 0 });
  });

  it('shows no year that cannot be written', () => {
    const { clock, pass } = aClock();
    clock.change({ advance: 1e16 });
    pass(5);
    expect(clock.now()).toBe(LATEST);
    clock.change({ advance: -1e17 });
    expect(clock.now()).toBe(0);
  });

  it('tells each change with what it showed before and after', () => {
    const { clock, pass } = aClock();
    const moves: unknown[] = [];
    const end = clock.onChange(({ from, to, after }) => moves.push([from - NOW, to - NOW, after.mode]));
    clock.change({ advance: DAY });
    pass(1);
    clock.change({ mode: 'frozen' });
    end();
    clock.change({ mode: 'real' });
    expect(moves).toEqual([
      [0, DAY, 'running'],
      [DAY + 1, DAY + 1, 'frozen'],
    ]);
  });

  it('that is not the machine’s can be opened as it was left', () => {
    const { clock, pass } = aClock();
    clock.change({ advance: DAY, speed: aSpeed(2) });
    pass(1_000);
    const again = aMachine(NOW + 5_000);
    const reopened = createClock({ machine: again.now, timer: again.timer, start: clock.state() });
    expect(reopened.now()).toBe(NOW + DAY + 10_000);
  });
});

/** Epoch ms of a clock that runs: the same told in another way, step by step. */
type Step = { readonly change: ClockChange } | { readonly pass: number };

const speeds = fc.constantFrom(0.001, 0.5, 1, 2, 60, 86_400).map(aSpeed);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ pass: fc.integer({ min: 0, max: 100_000 }) }),
    fc.record({ change: fc.record({ advance: fc.integer({ min: -DAY, max: 90 * DAY }) }) }),
    fc.record({ change: fc.record({ now: fc.integer({ min: NOW - DAY, max: NOW + DAY }) }) }),
    fc.record({ change: fc.record({ mode: fc.constantFrom('real', 'frozen', 'running') }) }),
    fc.record({ change: fc.record({ speed: speeds }) }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 40 },
);

describe('whatever is done with the clock', () => {
  it('it shows what adding up all passed times gives, and never goes back by itself', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { clock, pass } = aClock();
        let real = NOW;
        let model: Model = { shown: NOW, rate: 1, kept: 1 };
        for (const step of all) {
          const before = clock.now();
          if ('pass' in step) {
            pass(step.pass);
            real += step.pass;
            model.shown += step.pass * model.rate;
            expect(clock.now()).toBeGreaterThanOrEqual(before);
          } else {
            clock.change(step.change);
            model = changedModel(model, step.change, real);
          }
          expect(Math.abs(clock.now() - model.shown)).toBeLessThanOrEqual(1.001);
          const { at, ahead } = clock.time();
          expect([at - ahead, Number.isInteger(at)]).toEqual([real, true]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('each time is rung once, not before it, and none that was reached is left out', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.integer({ min: -DAY, max: 100 * DAY })), (all, times) => {
        const { clock, pass, woken } = aClock();
        const early: number[] = [];
        const rung: number[] = [];
        for (const time of times)
          clock.at(NOW + time, () => {
            if (clock.now() < NOW + time) early.push(time);
            rung.push(time);
          });
        for (const step of all) {
          if ('pass' in step) pass(step.pass);
          else clock.change(step.change);
        }
        clock.change({ mode: 'frozen' });
        pass(1);
        const missed = times.filter((time) => NOW + time <= clock.now() && !rung.includes(time));
        expect([early, missed, rung.length <= times.length]).toEqual([[], [], true]);
        expect(woken()).toBeLessThanOrEqual(times.length + all.length * 4 + 10);
      }),
      { numRuns: 300 },
    );
  });
});

type Model = { shown: number; rate: number; kept: number };

function changedModel(model: Model, { now, advance = 0, mode, speed }: ClockChange, real: number): Model {
  if (mode === 'real') return { shown: real, rate: 1, kept: 1 };
  const kept = speed?.factor ?? model.kept;
  const isFrozen = mode === undefined ? model.rate === 0 : mode === 'frozen';
  return { shown: (now ?? model.shown) + advance, rate: isFrozen ? 0 : kept, kept };
}

describe('what is to happen at a time of the clock', () => {
  it('happens when the clock reaches it, at whatever speed, in the order of the times', () => {
    const { clock, pass, ringAt, rung } = aClock();
    ringAt(NOW + 3_000);
    ringAt(NOW + 1_000);
    ringAt(NOW + 2 * DAY);
    pass(1_000);
    expect(rung).toEqual([1_000]);
    clock.change({ speed: aSpeed(86_400) });
    pass(1);
    expect(rung).toEqual([1_000, 3_000]);
    pass(2_000);
    expect(rung).toEqual([1_000, 3_000, 2 * DAY]);
  });

  it('happens in one go, in order, where the clock is moved past it, but never within the move', () => {
    const { clock, pass, ringAt, rung } = aClock();
    clock.change({ mode: 'frozen' });
    ringAt(NOW + 2 * DAY);
    ringAt(NOW + DAY);
    pass(3 * DAY);
    expect(rung).toEqual([]);
    clock.change({ advance: 5 * DAY });
    expect(rung).toEqual([]);
    pass(0);
    expect(rung).toEqual([DAY, 2 * DAY]);
  });

  it('waits again where the clock is set back, and is not repeated where it was reached', () => {
    const { clock, pass, ringAt, rung } = aClock();
    ringAt(NOW + 1_000);
    pass(999);
    clock.change({ advance: -10_000 });
    pass(10_000);
    expect(rung).toEqual([]);
    pass(1);
    clock.change({ now: NOW });
    pass(5_000);
    expect(rung).toEqual([1_000]);
  });

  it('waits longer than a timer of the machine can, without waking in between for nothing', () => {
    const { pass, ringAt, rung, waits, woken } = aClock();
    ringAt(NOW + 90 * DAY);
    expect(waits()).toEqual([2 ** 31 - 1]);
    pass(90 * DAY - 1);
    expect(rung).toEqual([]);
    pass(1);
    expect([rung, woken()]).toEqual([[90 * DAY], 4]);
  });

  it('can be cancelled, also by what happens at the same time, and by the close', () => {
    const { clock, pass, rung, ringAt, waits } = aClock();
    const cancel = ringAt(NOW + 10);
    const later: (() => void)[] = [];
    clock.at(NOW + 5, () => later.forEach((one) => void one()));
    later.push(ringAt(NOW + 5));
    cancel();
    pass(20);
    expect(rung).toEqual([]);
    ringAt(NOW + 30);
    clock.close();
    expect(waits()).toEqual([]);
  });

  it('leaves the rest alone where one of them fails', () => {
    const { clock, pass, ringAt, rung } = aClock();
    clock.at(NOW + 1, () => {
      throw new Error('mine');
    });
    ringAt(NOW + 2);
    expect(() => pass(1)).toThrow('mine');
    pass(5);
    expect(rung).toEqual([2]);
  });
});
