/** A TPP that is right is blamed for nothing at any shipped bank, and one that makes a mistake is found out at each. */
import { describe, expect, it } from 'vitest';
import { bankProfileNames } from '../../src/app/built.js';
import { callsOf, ROWS } from './calls.js';
import { judged } from './judged.js';
import { MISTAKES } from './mistakes.js';

it('have calls of each bank profile that comes with the program', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...bankProfileNames(), 'sandgate'].sort());
});

describe.each(Object.entries(ROWS).map(([bank, row]) => ({ bank, row, calls: callsOf(row) })))(
  '$bank',
  ({ bank, row, calls }) => {
    it('recognises every call of its dialect and blames a TPP that is right for none', () => {
      const { found, exchanges, skipped } = judged(bank, calls);
      expect(skipped).toEqual({});
      expect(exchanges).toBe(calls.length);
      expect(found.filter(({ severity }) => severity !== 'note').map(({ text }) => text)).toEqual([]);
    });

    const planted = MISTAKES.flatMap((mistake) => {
      const at = calls.findIndex(mistake.at);
      return at < 0 || row.free?.includes(mistake.rule) === true ? [] : [{ ...mistake, at }];
    });
    it.each(planted)('finds $name', ({ at, plant, rule }) => {
      const made = calls.flatMap((call, i) => (i === at ? plant(call) : [call]));
      const { found } = judged(bank, made);
      expect(found.filter(({ severity }) => severity !== 'note').map((one) => one.rule)).toContain(rule);
    });
  },
);
