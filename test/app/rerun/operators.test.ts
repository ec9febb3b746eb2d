/** What operators did to the bank in a recording: repeated at our own emulator, told of where the bank is another one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RerunReport } from '../../../src/app/index.js';
import { sandgate } from '../../cli/run-command.js';
import { startTestGateway, type TestGateway, testCertificates } from '../../e2e/harness.js';
import { livingTpp } from '../../e2e/living.js';
import { folderOfFile } from '../../folder.js';
import { TO_NOON } from './rerun-bank.js';

const folder = folderOfFile();
const store = join(folder, 'store.db');
const cassette = join(folder, 'operated.json');
let other: TestGateway;

beforeAll(async () => {
  const gateway = await startTestGateway({ bank: 'living', store, session: 'operated' });
  gateway.move(TO_NOON);
  const { ask, create, linked } = livingTpp(gateway);
  // An action stands among the calls by its millisecond: one of its own.
  const apart = async () => {
    for (const at = Date.now(); Date.now() === at; ) await new Promise(setImmediate);
  };
  const bank = gateway.app.bank.common;
  const validUntil = '9999-12-31';
  const { id, token } = await linked({ validUntil });
  const account = { consent: id, token };
  expect((await ask('GET /accounts', account)).status).toBe(200);
  await apart();
  await bank.takeSnapshot('before');
  await apart();
  await apart();
  await bank.endConsent(id, 'revoke');
  await apart();
  expect((await ask('GET /accounts', account)).status).toBe(401);
  await apart();
  await bank.restoreSnapshot('before');
  await apart();
  expect((await ask('GET /accounts', account)).status).toBe(200);
  await apart();
  await bank.changeAccount('acc-1-1', 'book', { amount: '5.00', text: 'Gift' });
  await apart();
  const { text } = await ask('GET /accounts/acc-1-1/transactions?bookingStatus=booked', account);
  expect(text).toContain('Gift');
  await apart();
  gateway.app.clock.change({ advance: 3_600_000 });
  await apart();
  expect((await ask(`GET /consents/${id}`)).json.consentStatus).toBe('valid');
  const unseen = await create({ validUntil, frequencyPerDay: 2 });
  await apart();
  await bank.endConsent(unseen.id, 'reject');
  await apart();
  expect((await ask(`GET /consents/${unseen.id}/status`)).json.consentStatus).toBe('rejected');
  await gateway.close();
  other = await startTestGateway({ bank: 'living' });
  other.move(TO_NOON);
});
afterAll(async () => {
  await other.close();
});

async function rerun(recording: string, against: string, ...flags: string[]) {
  const env = { SANDGATE_STORE: store, SANDGATE_CERTS: await testCertificates(), SANDGATE_BANK: 'living' };
  const args = ['rerun', recording, '--against', against, ...flags];
  return sandgate(args, { env, clock: () => Date.now() + TO_NOON });
}
const read = (out: string): RerunReport => JSON.parse(out);

it('is repeated at our own emulator, in its place, on what this run created', async () => {
  const { out, err } = await rerun('operated', 'emulator', '--json');
  const report = read(out);
  expect(
    report.calls.flatMap(({ differences }) => differences.filter((one) => one.class !== 'noise')),
  ).toEqual([]);
  expect([err, report.counts.skipped, report.counts.breaking]).toEqual(['', 0, 0]);
  expect(report.operators).toEqual({
    repeated: { snapshot: 1, revoke: 1, restore: 1, book: 1, clock: 1, reject: 1 },
    notRepeated: {},
    reasons: [],
  });
});

it('is not repeated at another bank, and is told by kind and number', async () => {
  const { out } = await rerun('operated', other.urls.api, '--send-writes');
  expect(out).toContain(
    'Operators’ actions not repeated: snapshot 1×, revoke 1×, restore 1×, book 1×, clock 1×, reject 1× (this bank is not operated from here).',
  );
  const { operators, counts } = read(
    (await rerun('operated', other.urls.api, '--send-writes', '--json')).out,
  );
  expect(operators).toMatchObject({ repeated: {}, notRepeated: { revoke: 1, reject: 1 } });
  expect(counts.breaking).toBeGreaterThan(0);
  for (const format of ['junit', 'html'])
    expect((await rerun('operated', other.urls.api, '--send-writes', '--format', format)).out).toContain(
      'not repeated: snapshot 1×',
    );
});

it('is read from the steps of a cassette too, which has those of the whole bank alone', async () => {
  const exported = await sandgate(['sessions', 'export', 'operated', '--store', store]);
  writeFileSync(cassette, exported.out);
  const { operators } = read((await rerun(cassette, 'emulator', '--json', '--allow-skipped')).out);
  expect(operators).toMatchObject({ repeated: { snapshot: 1, restore: 1, clock: 1 }, notRepeated: {} });
});

it('says why where our own emulator does not allow it', async () => {
  const { operators } = read(
    (await rerun('operated', 'emulator', '--json', '--only', 'operation:consents.status')).out,
  );
  expect(operators.notRepeated).toEqual({ revoke: 1 });
  expect(operators.reasons).toEqual(['it is about something that this run did not create']);
});
