import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexHeaders } from '../../src/exchange/headers.js';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describe('the index of a header list', () => {
  const name = fc.oneof(fc.stringMatching(/^[A-Za-z-]{1,12}$/), fc.constantFrom(...INHERITED));

  it('leaves blanks around a value out, which are no part of it', () => {
    expect(indexHeaders([['Consent-Id', ' \tC 1\t ']])).toMatchObject({ 'consent-id': 'C 1' });
  });

  it('holds every name in lower case with its values joined, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 40 }), (headers) => {
        const index = indexHeaders(headers);
        const expected = new Map<string, string>();
        for (const [given, written] of headers) {
          const key = given.toLowerCase();
          const value = written.replace(/^[ \t]+|[ \t]+$/g, '');
          const before = expected.get(key);
          expected.set(key, before === undefined ? value : `${before}, ${value}`);
        }
        expect(new Map(Object.entries(index))).toEqual(expected);
      }),
    );
  });

  it.each(INHERITED)('has no %s that nobody sent', (inherited) => {
    const index = indexHeaders([['Accept', '*/*']]);
    expect(index[inherited]).toBeUndefined();
    expect(inherited in index).toBe(false);
  });
});
