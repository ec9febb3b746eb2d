/** Calls without end among the exchanges of their session. */
import { expect, it } from 'vitest';
import { withUnfinished } from '../../src/store/index.js';
import { recordSource } from './stores.js';

it('each stands where it began, whenever its beginning was recorded', () => {
  const next = recordSource();
  const [first, streamed, second, cut, last] = [next(), next(), next(), next(), next()];
  // A stream is recorded as begun when its head leaves.
  const stage = withUnfinished([last, cut, streamed]);
  const order = [first, second].flatMap((record) => [...stage.take(record)]);
  expect([...order, ...stage.close()]).toEqual([first, streamed, second, cut, last]);
});
