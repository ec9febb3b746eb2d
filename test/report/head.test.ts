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
    `Time was moved once, between ${at('17:24')} and ${at('19:24')}: 3 of 4 exchanges were judged by another time than that of the machine.`,
  );
  expect(clock?.moves).toHaveLength(2);
});
