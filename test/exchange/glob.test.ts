import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGlob } from '../../src/exchange/index.js';

describe('a pattern', () => {
  it.each([
    ['body ref', 'body ref', true],
    ['body ref', 'body refs', false],
    ['body *', 'body ', true],
    ['body l[].*', 'body l[].a.b', true],
    ['body l[].*', 'body lx.a', false],
    ['*.amount', 'body a.amount', true],
    ['*.amount', 'body a.amounts', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['**', '', true],
    ['A*', 'a', false],
  ])('%j and the text %j fit: %j', (pattern, text, expected) => {
    expect(createGlob(pattern)(text)).toBe(expected);
  });

  it('means what the regular expression with .* in place of its asterisks means', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 });
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        const same = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(createGlob(pattern)(text)).toBe(same.test(text));
      }),
    );
  });

  it('of many asterisks is no slower than one of few', { timeout: 3_000 }, () => {
    expect(createGlob(`${'*a'.repeat(20)}*b`)('a'.repeat(100_000))).toBe(false);
  });
});
