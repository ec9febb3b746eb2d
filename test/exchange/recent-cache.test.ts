import { describe, expect, it } from 'vitest';
import { createRecentCache } from '../../src/exchange/index.js';

describe('a recent cache', () => {
  it('remembers what was put into it', () => {
    const cache = createRecentCache<string, number>(10);
    cache.set('a', 1);
    expect(cache.get('a')).toBe(1);
    expect(cache.get('b')).toBeUndefined();
  });

  it('forgets what was not asked for while twice its limit came in', () => {
    const cache = createRecentCache<number, number>(10);
    for (let i = 0; i < 30; i++) cache.set(i, i);
    expect(cache.get(0)).toBeUndefined();
    expect(cache.get(29)).toBe(29);
  });

  it('keeps what is asked for, however much else comes in', () => {
    const cache = createRecentCache<number, number>(10);
    cache.set(-1, 1);
    for (let i = 0; i < 1_000; i++) {
      cache.set(i, i);
      expect(cache.get(-1)).toBe(1);
    }
  });

  it('counts entries by the weight they were given', () => {
    const cache = createRecentCache<string, number>(100);
    cache.set('heavy', 1, 100);
    cache.set('next', 2, 100);
    cache.set('last', 3, 100);
    expect(cache.get('heavy')).toBeUndefined();
    expect(cache.get('last')).toBe(3);
  });

  it('is empty when it was cleared', () => {
    const cache = createRecentCache<string, number>(10);
    cache.set('a', 1);
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
  });
});
