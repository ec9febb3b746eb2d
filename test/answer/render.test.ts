import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendQuery } from '../../src/answer/render.js';

describe('appendQuery', () => {
  it.each([
    ['https://tpp.example/cb', 'https://tpp.example/cb?code=1&state=a+b'],
    ['https://tpp.example', 'https://tpp.example?code=1&state=a+b'],
    ['https://tpp.example/cb?', 'https://tpp.example/cb?code=1&state=a+b'],
    ['https://tpp.example/cb?x=%20', 'https://tpp.example/cb?x=%20&code=1&state=a+b'],
    ['https://tpp.example/cb?x=1&', 'https://tpp.example/cb?x=1&code=1&state=a+b'],
    ['https://tpp.example/cb?x=1#frag', 'https://tpp.example/cb?x=1&code=1&state=a+b#frag'],
  ])('appends to %s', (uri, expected) => {
    expect(appendQuery(uri, { code: '1', error: undefined, state: 'a b' })).toBe(expected);
  });

  it('gives every value back unchanged, and nothing beside it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (state) => {
        const uri = new URL(appendQuery('https://tpp.example/cb?keep=1', { state }));
        expect([...uri.searchParams]).toEqual([
          ['keep', '1'],
          ['state', state],
        ]);
        expect(uri.hash).toBe('');
      }),
    );
  });
});
