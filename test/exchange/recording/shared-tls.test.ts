/** A judge knows a connection again by its TLS facts, so that reading a file must not make them anew for each call. */

import { expect, it } from 'vitest';
import type { FileRecording } from '../../../src/exchange/index.js';
import { buildCassette, readCassette } from '../../../src/exchange/recording/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { aCertificate, anExchange, type CallParts } from '../../builders.js';
import { buildHar, readHar } from '../har/build-har.js';

const META = { session: 's', dialect: dialectOf() };
const CIPHER = 'TLS_AES_256_GCM_SHA384';
const OTHER = aCertificate({ fingerprint256: 'cd'.repeat(32), commonName: 'other.example' });
const aCall = (version = 'TLSv1.3', certificate = aCertificate()): CallParts => ({
  certificate,
  connection: { address: '127.0.0.1', tls: { version, cipher: CIPHER, resumed: false } },
});
const CALLS = [aCall(), aCall('TLSv1.3', OTHER), aCall(), aCall('TLSv1.2'), aCall('TLSv1.3', OTHER)];
const RECORDS = CALLS.map((call) => ({ exchange: anExchange({ call }) }));

it.each<[string, FileRecording]>([
  ['HAR', readHar(buildHar(RECORDS, { ...META, version: '1' }))],
  ['cassette', readCassette(buildCassette(RECORDS, META))],
])('equal connections with one certificate are one value in a %s, others are not', (_, { records }) => {
  const seen = records.map(({ exchange }) => exchange.call.connection.tls);
  expect(seen).toEqual(CALLS.map(({ connection }) => connection?.tls));
  expect(seen.map((tls) => seen.indexOf(tls))).toEqual([0, 1, 0, 3, 1]);
});
