/** Ids of exchanges: greater with time, and readable back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdSource, idOfNumber, numberOfId, timeOfId } from '../../src/exchange/index.js';
import { NOW } from '../builders.js';

const anyNumber = fc.nat({ max: Number.MAX_SAFE_INTEGER });

describe('ids of exchanges', () => {
  it('are eleven characters in the order of their numbers', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        const [idA, idB] = [idOfNumber(a), idOfNumber(b)];
        expect(idA).toMatch(/^[0-9A-HJKMNP-TV-Z]{11}$/);
        expect(idA < idB).toBe(a < b);
        expect(numberOfId(idA)).toBe(a);
      }),
    );
  });

  it('tell the time at which they were given', () => {
    const next = createIdSource({ clock: () => NOW, seed: 2_047 });
    expect(timeOfId(next())).toBe(NOW);
    expect(timeOfId('not an id')).toBeNull();
  });

  it('grow within a millisecond, over a full one, and while the clock goes back', () => {
    let now = NOW;
    const next = createIdSource({ clock: () => now, seed: 1_000 });
    const ids = Array.from({ length: 10_000 }, () => next());
    now -= 3_600_000;
    ids.push(next());
    now += 7_200_000;
    ids.push(next());
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(timeOfId(ids.at(-1) ?? '')).toBe(now);
  });

  it('go on after the newest one of a store', () => {
    const newest = createIdSource({ clock: () => NOW + 60_000 })();
    const next = createIdSource({ clock: () => NOW, after: newest });
    expect(numberOfId(next())).toBe((numberOfId(newest) ?? 0) + 1);
  });

  it('start at different places for gateways with different seeds', () => {
    const ids = [0, 1, 2_047].map((seed) => createIdSource({ clock: () => NOW, seed })());
    expect(new Set(ids).size).toBe(3);
  });

  it('are understood as people type them', () => {
    const id = idOfNumber(1_234_567_890_101);
    expect(numberOfId(id.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(1_234_567_890_101);
  });

  it.each(['', '0', '000000000000', 'ZZZZZZZZZZZ', '0000000000U', 'é0000000000', '00000 00000'])(
    'are not %j',
    (text) => {
      expect(numberOfId(text)).toBeNull();
    },
  );
});
