/** However a file is laid out, it says the same. */

import { expect, it } from 'vitest';
import { readRecording } from '../../../src/exchange/recording/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { anExchange } from '../../builders.js';
import { buildHar } from '../har/build-har.js';

const RECORDS = Array.from({ length: 3 }, () => ({ exchange: anExchange() }));
const HAR = [...buildHar(RECORDS, { session: 's', dialect: dialectOf(), version: '1' })].join('');

it.each([
  ['as we write it', HAR],
  ['in one line', HAR.replaceAll('\n', '')],
  ['with an indent', JSON.stringify(JSON.parse(HAR), null, 2)],
  ['with the lines of others', HAR.replaceAll('\n', '\r\n')],
  ['with a line end within an entry, behind a brace', HAR.replaceAll('},"response"', '},\n"response"')],
])('a HAR %s reads as what it is', (_, text) => {
  expect(readRecording(text).records).toEqual(RECORDS);
});

it('a broken HAR is told by line, whether its lines are its entries or not', () => {
  const broken = HAR.replace(/"status":200/, '"status":2oo');
  const told = /is not JSON: line 2, column \d+ cannot be read/;
  expect(() => readRecording(broken)).toThrow(told);
  expect(() => readRecording(broken.replaceAll('},"response"', '},\n"response"'))).toThrow(
    /is not JSON: line 3/,
  );
});
