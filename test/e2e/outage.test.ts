/** An outage of 47 minutes at a second gateway that plays the bank, as the report of the first one tells it. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawReport, loadConfig, openSessionSource } from '../../src/app/index.js';
import { startTestGateway, type TestGateway, testCertificates } from './harness.js';

const MINUTE = 60_000;
const EVERY = 2 * MINUTE;
const OUTAGE = 47 * MINUTE;

let [a, bank]: TestGateway[] = [];
beforeAll(async () => {
  const certs = await testCertificates();
  bank = await startTestGateway({});
  a = await startTestGateway({
    upstream: bank.urls.api,
    upstreamCert: join(certs, 'tpp.pem'),
    upstreamKey: join(certs, 'tpp.key'),
    upstreamCa: join(certs, 'ca.pem'),
  });
});
afterAll(async () => {
  await a?.app.close();
  await bank?.close();
});

async function availability() {
  await a?.app.recorder.drain();
  const store = a?.app.store;
  const session = (await store?.sessions())?.find(({ name }) => name === 'test');
  if (store === undefined || session === undefined) throw new Error('nothing was recorded');
  const opened = await openSessionSource(store, session, { loaded: loadConfig({ flags: {} }), today: '' });
  return (await drawReport(opened, { version: '0.0.0' })).availability;
}

const read = async () => {
  const answer = await a?.call('/stdgroup/v1/consents/VALID_CONSENT_ID/status', { cert: 'tpp' });
  for (const gateway of [a, bank]) gateway?.move(EVERY);
  return answer?.status;
};

it('lies between what was seen for certain and what can have been', async () => {
  const begun = bank?.now() ?? 0;
  const from = begun + 9 * MINUTE;
  const during = [from, from + OUTAGE].map((at) => new Date(at).toISOString());
  await bank?.app.faults.add({ id: 'night', during, do: { kind: 'maintenance' } });
  const statuses = [];
  for (let at = 0; at < 70 * MINUTE; at += EVERY) statuses.push(await read());
  expect(new Set(statuses)).toEqual(new Set([200, 503]));

  const { services, note } = await availability();
  const [ais] = services;
  expect(services.map(({ service }) => service)).toEqual(['AIS']);
  expect(ais?.periods).toMatchObject([
    { presumed: true, calls: statuses.filter((one) => one === 503).length },
  ]);
  const { atLeastMs = 0, atMostMs } = ais?.total.unavailable ?? {};
  expect(atLeastMs).toBeLessThanOrEqual(OUTAGE);
  expect(atMostMs).toBeGreaterThanOrEqual(OUTAGE);
  // Nothing is known between two calls, at both ends.
  expect((atMostMs ?? 0) - atLeastMs).toBeLessThan(2 * EVERY + MINUTE);
  expect(note).toBe('As seen from here, of calls that a bank was asked for.');
});

it('is none of the bank where the fault is set at the first gateway', async () => {
  await bank?.app.faults.clear();
  const before = (await availability()).services[0]?.total.calls;
  await a?.app.faults.add({ id: 'own', do: { kind: 'maintenance' } });
  for (let i = 0; i < 6; i++) expect(await read()).toBe(503);
  const { services, outside } = await availability();
  expect(services[0]?.total).toMatchObject({ calls: before, unavailable: { periods: 1 } });
  expect(outside.injected).toBe(6);
});
