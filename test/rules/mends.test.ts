/** What mends are for: rules of the catalogue, and nothing else. */
import { expect, it } from 'vitest';
import { CLAIMS, MEND_NOTES, MENDS, RULES } from '../../src/rules/index.js';

it('every mend is of a rule that judges the TPP, and every note of a mend', () => {
  const judging = new Set(RULES.filter(({ judges }) => judges === 'tpp').map(({ id }) => id));
  expect(Object.keys(MENDS).filter((id) => !judging.has(id))).toEqual([]);
  expect(Object.keys(CLAIMS).filter((id) => !judging.has(id) || Object.hasOwn(MENDS, id))).toEqual([]);
  expect(Object.keys(MEND_NOTES).filter((id) => !Object.hasOwn(MENDS, id))).toEqual([]);
});
