/** In which order it is learned from earlier sessions, and how many of them are open at a time. */
import { expect, it } from 'vitest';
import { type Earlier, learnEarlier } from '../../../src/app/report/ledger.js';
import type { StepNote } from '../../../src/exchange/index.js';
import type { RecordedExchange } from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { recordSource } from '../../store/stores.js';

const DAY = 86_400_000;
const resetOn = (day: number): StepNote => ({
  at: NOW + day * DAY,
  kind: 'bank',
  settings: { action: 'reset', step: day },
});

it('those are open side by side in the middle of which something befell the world, and no others', async () => {
  const open = new Set<string>();
  let most = 0;
  const learned: string[] = [];
  /** Of each day one, of which each knows what befell the world before its calls. */
  const sessionOf = (day: number, calls: readonly number[]): Earlier => {
    const next = recordSource(`day-${day}`, NOW + day * DAY);
    const rows = (function* () {
      open.add(`${day}`);
      most = Math.max(most, open.size);
      for (const _ of calls) yield next();
      open.delete(`${day}`);
    })();
    let i = 0;
    const take = (record: RecordedExchange) => {
      const at = calls[i++] ?? 0;
      const steps = [2.5, 4.5, 6.5].filter((one) => one > day - 1 && one < at).map(resetOn);
      return [{ ...record, ...(steps.length === 0 ? {} : { steps }) }];
    };
    return { startedAt: NOW + day * DAY, open: async () => ({ rows, take }) };
  };
  await learnEarlier(
    {
      befall: ({ at }) => void learned.push(`reset ${(at - NOW) / DAY}`),
      learn: ({ call }) => void learned.push(call.session),
    },
    // The second and the third go on over a reset.
    [
      sessionOf(1, [1]),
      sessionOf(2, [2, 3]),
      sessionOf(2.2, [2.8]),
      sessionOf(3, [3, 5]),
      sessionOf(5, [5]),
      sessionOf(7, [7]),
    ],
    [],
    'ZZZZZZZZZZZ',
    () => true,
  );
  expect(learned).toEqual([
    'day-1',
    'day-2',
    'reset 2.5',
    'day-2',
    'day-2.2',
    'day-3',
    'reset 4.5',
    'day-3',
    'day-5',
    'reset 6.5',
    'day-7',
  ]);
  expect(most).toBe(2);
});
