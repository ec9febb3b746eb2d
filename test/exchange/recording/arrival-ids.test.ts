/** In which order calls of a cassette arrived, told by whole ms. */
import { expect, it } from 'vitest';
import { withArrivalIds } from '../../../src/exchange/recording/arrival-ids.js';

/** Places in the file, in the order of arrival. */
const orderOf = (...calls: readonly [at: number, total: number, answerer: number][]) =>
  withArrivalIds(calls.map(([at, total, answerer], index) => ({ index, at, total, answerer })))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ index }) => index);

it('is that of the file where one comes right behind another, although the ms do not say so', () => {
  // The first was there at 100.9 and ended at 104.6, the second began at 104.7.
  expect(orderOf([100, 3.7, 0.1], [103, 0.5, 0.1], [103, 0.6, 0.1])).toEqual([0, 1, 2]);
});

it('is another one where a call was asked more than a ms before the one that ended in front of it', () => {
  expect(orderOf([105, 2, 1], [100, 20, 19], [130, 1, 0])).toEqual([1, 0, 2]);
});
