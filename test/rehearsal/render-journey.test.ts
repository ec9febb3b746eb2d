import { expect, it } from 'vitest';
import { htmlText } from '../../src/answer/index.js';
import { journeyOf } from '../../src/rehearsal/render-journey.js';
import type { ShownCall } from '../../src/rehearsal/result.js';

const call = (place: number, injected: string): ShownCall => ({
  id: String(place),
  from: 'application',
  call: `GET /${place}`,
  status: 200,
  injected,
});

it.each([
  ['the last of many', null, 16, 39],
  ['two before the first that a fault met', 20, 18, 39],
  ['the first ones where a fault met the first', 0, 0, 23],
  ['the first ones where a fault met the second', 1, 0, 23],
])('a drawing has at most 24 calls: %s', (_, met, first, last) => {
  const calls = Array.from({ length: 40 }, (__, place) => call(place, place === met ? 'reset' : ''));
  const drawn = [...htmlText(journeyOf(calls)).matchAll(/y="-?\d+">GET \/(\d+)</g)].map(([, at]) =>
    Number(at),
  );
  expect([drawn[0], drawn.at(-1)]).toEqual([first, last]);
});
