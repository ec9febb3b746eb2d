import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prefersProblem } from '../../src/answer/prefers.js';

it.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/problem+json', true],
  ['Application/Problem+JSON', true],
  ['application/problem+json, application/json', true],
  ['application/json, application/problem+json', false],
  ['application/json;q=0.5, application/problem+json', true],
  ['application/json, application/problem+json;q=0.9', false],
  ['application/problem+json, */*', true],
  ['*/*, application/problem+json', true],
  ['application/problem+json;q=0.1, application/*', false],
  ['application/*;q=0.1, application/json;q=0.9, application/problem+json;q=0.5', false],
  ['application/problem+json;q=0', false],
  ['application/problem+json;q=nonsense', false],
])('reads Accept %j as %s', (accept, expected) => {
  expect(prefersProblem(accept)).toBe(expected);
});

it('takes any text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(typeof prefersProblem(`application/problem+json;${text}`)).toBe('boolean');
    }),
  );
});
