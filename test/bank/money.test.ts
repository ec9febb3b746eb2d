/** Amounts in minor units, and as text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText, minorUnits } from '../../src/bank/index.js';
import { isAmount } from '../../src/spec/index.js';

describe('an amount', () => {
  it('comes back from its text to the cent, in currencies with any number of decimals', () => {
    const minor = fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 });
    fc.assert(
      fc.property(minor, fc.constantFrom('EUR', 'JPY', 'KWD'), (any, currency) => {
        const text = amountText(any, currency);
        expect(isAmount(text)).toBe(true);
        expect(minorUnits(text, currency)).toBe(any);
      }),
    );
  });

  it.each([
    [-1250, 'EUR', '-12.50'],
    [5, 'EUR', '0.05'],
    [-5, 'USD', '-0.05'],
    [0, 'EUR', '0.00'],
    [1250, 'JPY', '1250'],
    [-1250, 'KWD', '-1.250'],
  ])('of %d in %s is written %s', (minor, currency, text) => {
    expect(amountText(minor, currency)).toBe(text);
  });

  it.each([
    ['12', 'EUR', 1200],
    ['12.5', 'EUR', 1250],
    ['12.500', 'EUR', 1250],
    ['-0', 'EUR', 0],
    ['12.345', 'EUR', undefined],
    ['1.5', 'JPY', undefined],
    ['99999999999999.99', 'EUR', undefined],
    ['1,50', 'EUR', undefined],
    ['', 'EUR', undefined],
  ])('is read from %j in %s', (text, currency, minor) => {
    expect(minorUnits(text, currency)).toBe(minor);
  });
});
