/** Files may tell times of any fraction of a ms; clocks and stores count whole ones. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrivedAt, type FileRecording } from '../../../src/exchange/index.js';
import { buildCassette, readCassette } from '../../../src/exchange/recording/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { anExchange, NOW } from '../../builders.js';
import { buildHar, readHar } from '../har/build-har.js';

const META = { session: 's', dialect: dialectOf() };
const RECORDS = Array.from({ length: 3 }, () => ({ exchange: anExchange() }));
const HAR = [...buildHar(RECORDS, { ...META, version: '1' })].join('');
const CASSETTE = [...buildCassette(RECORDS, META)].join('');

const ms = fc.double({ min: 0, max: 1e9, noNaN: true });
const times = fc.array(fc.tuple(ms, fc.double({ min: -1e9, max: 1e9, noNaN: true })), {
  ...{ minLength: RECORDS.length, maxLength: RECORDS.length },
});

/** `written`: when each call arrived, as the file says. */
function expectWhole({ records, notes }: FileRecording, written: readonly number[]): void {
  for (const { at } of notes) expect(at).toSatisfy(Number.isInteger);
  const calls = records.map(({ exchange: { call } }) => call);
  for (const call of calls)
    expect([call.at, call.ahead, arrivedAt(call)]).toSatisfy((all: number[]) => all.every(Number.isInteger));
  const sorted = (all: readonly number[]) => [...all].sort((a, b) => a - b);
  expect(sorted(calls.map(arrivedAt))).toEqual(sorted(written.map(Math.floor)));
}

it('times of a HAR are whole ms, none of them later than it says', () => {
  fc.assert(
    fc.property(times, (given) => {
      const har = JSON.parse(HAR);
      har.log._sandgate.notes = [{ at: NOW + 0.25, kind: 'mark', settings: { text: 'here' } }];
      for (const [i, [at, ahead]] of given.entries())
        Object.assign(har.log.entries[i]._sandgate, { at: NOW + at, ahead });
      expectWhole(
        readHar(JSON.stringify(har)),
        given.map(([at]) => NOW + at),
      );
    }),
  );
});

it('those of a cassette are, too', () => {
  fc.assert(
    fc.property(times, ms, (given, ahead) => {
      const cassette = {
        ...JSON.parse(CASSETTE),
        recorded: new Date(NOW).toISOString(),
        ahead: Math.floor(ahead),
      };
      for (const [i, [at, moved]] of given.entries()) Object.assign(cassette.exchanges[i], { at, moved });
      const started = NOW - Math.floor(ahead);
      expectWhole(
        readCassette(JSON.stringify(cassette)),
        given.map(([at]) => started + at),
      );
    }),
  );
});
