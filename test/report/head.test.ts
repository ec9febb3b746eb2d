/** What the head of a report says of the clock. */
import { expect, it } from 'vitest';
import { clockOf } from '../../src/report/build/head.js';

const at = (hour: string): string => `2026-11-26T${hour}:00.000Z`;

it('tells the extent of the moves of the session alone, where an earlier one had moved the clock already', () => {
  const clock = clockOf(
    [
      {
        at: Date.parse(at('17:23')),
        kind: 'started',
        settings: { clock: { now: at('17:19'), since: at('17:18'), mode: 'set', speed: 1 } },
      },
      {
        at: Date.parse(at('17:24')),
        kind: 'clock',
        settings: { from: at('17:24'), to: at('19:24'), mode: 'moved', speed: 1 },
      },
    ] as never,
    3,
    4,
    10,
  );
  expect(clock?.sentence).toBe(
    `Time was moved once; the moved clock showed ${at('17:24')} to ${at('19:24')}: 3 of 4 exchanges were judged by another time than that of the machine.`,
  );
  expect(clock?.moves).toHaveLength(2);
});

it('counts no move from the machine’s time to the machine’s time, and mixes neither time with the other', () => {
  const move = (settings: object, hour: string) => ({ at: Date.parse(at(hour)), kind: 'clock', settings });
  const toReal = { from: at('10:00'), to: at('10:00'), mode: 'real', speed: 1 };
  const [there, back] = ['2026-12-01T10:05:00.000Z', '2026-12-01T10:09:00.000Z'];
  const notes = [
    move(toReal, '10:00'),
    move({ from: at('10:05'), to: there, mode: 'running', speed: 1 }, '10:05'),
    move({ from: back, to: at('10:09'), mode: 'real', speed: 1 }, '10:09'),
    move(toReal, '10:10'),
  ];
  const clock = clockOf(notes as never, 3, 4, 10);
  expect(clock).toMatchObject({ times: 2, from: there, to: back });
  expect(clock?.sentence).toMatch(
    `Time was moved 2 times; the moved clock showed ${there} to ${back}: 3 of 4`,
  );
  expect(clockOf(notes.slice(0, 2) as never, 3, 4, 10)?.sentence).toMatch(
    `Time was moved once, to ${there}: 3`,
  );
  expect(clockOf(notes.slice(0, 1) as never, 0, 4, 10)).toBeNull();
});
