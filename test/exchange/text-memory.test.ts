import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecentCache, createTextMemory } from '../../src/exchange/index.js';

/** Counts how often something is made of each text. */
function counting() {
  const made = new Map<string, number>();
  const remember = createTextMemory((text) => {
    made.set(text, (made.get(text) ?? 0) + 1);
    return { text };
  });
  return { made, remember };
}

describe('a text memory', () => {
  it('keeps what was made of a text from its second coming on', () => {
    const { made, remember } = counting();
    const given = Array.from({ length: 5 }, () => remember('again'));
    expect(made.get('again')).toBe(2);
    expect(new Set(given).size).toBe(2);
  });

  it('makes long texts again each time', () => {
    const { made, remember } = counting();
    const long = 'x'.repeat(16_385);
    for (let i = 0; i < 5; i++) remember(long);
    expect(made.get(long)).toBe(5);
  });

  it('tells texts from each other whose checksums are the same', () => {
    expect(crc32('plumless')).toBe(crc32('buckeroo'));
    const remember = createTextMemory((text) => text);
    for (const text of ['plumless', 'plumless', 'plumless', 'buckeroo', 'buckeroo', 'plumless'])
      expect(remember(text)).toBe(text);
  });

  it('gives for any text what is made of that very text', () => {
    const remember = createTextMemory((text) => text);
    const texts = fc.array(fc.oneof(fc.constantFrom('', 'a', 'b', '{}'), fc.string()), { maxLength: 50 });
    fc.assert(
      fc.property(texts, (all) => {
        for (const text of [...all, ...all, ...all]) expect(remember(text)).toBe(text);
      }),
    );
  });
});

it('A cache by weight keeps what outweighs all others until something else comes', () => {
  const cache = createRecentCache<string, number>(100, (weight) => weight);
  cache.set('heavy', 1_000);
  expect(cache.get('heavy')).toBe(1_000);
  cache.set('nothing', 0);
  expect([cache.get('heavy'), cache.get('nothing')]).toEqual([undefined, 0]);
});
