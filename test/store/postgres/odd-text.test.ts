import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givenText, keptText } from '../../../src/store/postgres/odd-text.js';

const texts = fc.string({
  unit: fc.constantFrom('\0', '\u0001', '\ud83d', '\udd11', '\u{1f511}', '0', '1', 'd', 'é'),
});

describe('a text in PostgreSQL', () => {
  it('holds no NUL and no half of a pair, and comes back as it was', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const kept = keptText(text);
        expect(kept.includes('\0')).toBe(false);
        expect(kept.isWellFormed()).toBe(true);
        expect(givenText(kept)).toBe(text);
      }),
    );
  });

  it('is kept as it is where nothing in it is odd', () => {
    expect(keptText('Dvořák {"state":"a\\u0000b"} \u{1f511}\n')).toBe(
      'Dvořák {"state":"a\\u0000b"} \u{1f511}\n',
    );
  });
});
