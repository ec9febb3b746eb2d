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
    const cache = createRecentCache<string, number>(100, (value) => value);
    cache.set('heavy', 101);
    cache.set('next', 102);
    cache.set('last', 103);
    expect(cache.get('heavy')).toBeUndefined();
    expect(cache.get('last')).toBe(103);
  });

  it('counts an entry once that is put into it again and again', () => {
    const cache = createRecentCache<string, number>(10);
    cache.set('kept', 1);
    for (let i = 0; i < 100; i++) cache.set('again', i);
    expect(cache.get('again')).toBe(99);
    expect(cache.get('kept')).toBe(1);
  });

  it('holds no more than twice its limit and two entries, however often it is asked for what it holds', () => {
    const cache = createRecentCache<number, { readonly weight: number }>(100, ({ weight }) => weight);
    const keys = Array.from({ length: 100 }, (_, i) => i);
    for (const key of keys) {
      cache.set(key, { weight: 10 });
      for (const asked of keys) cache.get(asked);
    }
    const held = keys.filter((key) => cache.get(key) !== undefined);
    expect(held.length * 10).toBeLessThanOrEqual(220);
  });

  it('is empty when it was cleared', () => {
    const cache = createRecentCache<string, number>(10);
    cache.set('a', 1);
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
  });
});
