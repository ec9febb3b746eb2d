/** A gateway on a copy of a store goes on where the one stood that recorded it, and its recording proves the same. */
import { copyFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { aFile, copied, inSchema, type Place } from '../store/copied.js';
import { aPath } from '../store/stores.js';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';
import { BACK, livingTpp } from './living.js';

const open = new Set<TestGateway>();
afterEach(async () => {
  for (const gateway of open) await end(gateway);
});

async function end(gateway: TestGateway): Promise<void> {
  open.delete(gateway);
  await gateway.close();
}

async function on({ address, keyFile }: Place): Promise<TestGateway> {
  const gateway = await startTestGateway({ bank: 'living', store: address, storeKeyFile: keyFile });
  open.add(gateway);
  return gateway;
}

async function admin(gateway: TestGateway, asked: string, json?: unknown) {
  const [method = '', path = ''] = asked.split(' ');
  const headers = { 'Content-Type': 'application/json' };
  const answer = await gateway.call(`/api${path}`, { side: 'admin', method, json, headers });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const codeOf = (back: URL): string => back.searchParams.get('code') ?? '';

/** What a report, its verification and the ends of the chains say, but for which store that is; the report is sound. */
async function evidenceOf({ address, keyFile }: Place) {
  const shown = address.replace(/:[^:@/]*@/, '@');
  const where = ['--store', address, '--store-key-file', keyFile];
  const file = aPath('report.json');
  const made = await sandgate(['report', 'test', '--out', file, ...where]);
  expect(made.err).toBe('');
  const verified = await sandgate(['verify', file, '--json', ...where]);
  expect(verified.status, verified.out).toBe(0);
  const head = await sandgate(['sessions', 'head', 'test', '--json', ...where]);
  const read = await sandgate(['report', 'test', '--format', 'json', ...where]);
  const plain = (text: string) =>
    text.replaceAll(address, 'STORE').replaceAll(shown, 'STORE').replaceAll(file, 'REPORT');
  return { file, report: plain(read.out), verified: plain(verified.out), head: plain(head.out) };
}

it('goes on where the store stood, copied from a file into PostgreSQL, and from there into a file', async () => {
  const [a, b, c] = [aFile(), inSchema(), aFile()];
  const first = await on(a);
  await admin(first, 'PUT /clock', { advance: '1d', mode: 'frozen' });
  const now = first.app.clock.now();
  const tpp = livingTpp(first);
  const consent = await tpp.linked();
  const codes: string[] = [];
  // Of PSUs of their own: a new consent ends the one before it.
  for (let psu = 2; psu < 6; psu++)
    codes.push(codeOf(await tpp.authorise(await tpp.create(), { psu: `psu-${psu}` })));
  const used = codes.slice(0, 2);
  for (const code of used) expect((await tpp.exchange({ code })).status).toBe(200);
  const unattended = async (gateway: TestGateway) => {
    const { ask } = livingTpp(gateway);
    const headers = { 'PSU-IP-Address': undefined } as never;
    return (await ask('GET /accounts', { consent: consent.id, token: consent.token, headers })).status;
  };
  expect([await unattended(first), await unattended(first)]).toEqual([200, 200]);
  const { accounts } = (await tpp.ask('GET /accounts', { consent: consent.id, token: consent.token })).json;
  const payment = await tpp.ask('POST /payments/sepa-credit-transfers', {
    headers: { 'TPP-Redirect-URI': BACK },
    json: {
      instructedAmount: { currency: 'EUR', amount: '10.00' },
      ...{ debtorAccount: { iban: accounts[0].iban }, creditorAccount: { iban: 'NL20INGB0001234567' } },
      creditorName: 'Fietsen Roeland',
    },
  });
  expect(payment.status, payment.text).toBe(201);
  const link: string = payment.json._links.scaStatus.href;
  const id: string = payment.json.paymentId;
  const authorisation = link.slice(link.lastIndexOf('/') + 1);
  await tpp.authorise({ id, authorisation }, { scope: `PIS:${id}` });
  const status = `GET /payments/sepa-credit-transfers/${id}/status`;
  const before = (await tpp.ask(status)).json.transactionStatus;
  await admin(first, 'PUT /bank/snapshots/before');
  const later = await tpp.create();
  const snapshots = await admin(first, 'GET /bank/snapshots');
  await end(first);

  let [from, left] = [a, 2];
  for (const to of [b, c]) {
    await copied(from, to);
    const [source, copy] = [await evidenceOf(from), await evidenceOf(to)];
    expect({ ...copy, file: '' }).toEqual({ ...source, file: '' });
    // A report that was made on the store holds on the copy.
    const old = aPath('old.json');
    copyFileSync(source.file, old);
    const where = ['--store', to.address, '--store-key-file', to.keyFile];
    expect(await sandgate(['verify', old, ...where])).toMatchObject({ status: 0 });

    const gateway = await on(to);
    const other = livingTpp(gateway);
    expect(gateway.app.clock.now()).toBe(now);
    expect(await admin(gateway, 'GET /bank/snapshots')).toEqual(snapshots);
    expect((await other.ask(status)).json.transactionStatus).toBe(before);
    expect(await unattended(gateway)).toBe(200);
    left -= 1;
    const budgets = (await admin(gateway, 'GET /budgets')) as { left: number }[];
    expect(Math.min(...budgets.map((budget) => budget.left))).toBe(left);
    // Codes: one that was used before, and one that was not.
    expect((await other.exchange({ code: used.pop() ?? '' })).status).toBe(400);
    expect((await other.exchange({ code: codes.pop() ?? '' })).status).toBe(200);
    const refresh = { grant_type: 'refresh_token', refresh_token: consent.refresh };
    expect((await other.exchange(refresh)).status).toBe(200);
    expect((await other.ask(`GET /consents/${later.id}`)).status).toBe(200);
    from = to;
    if (to === c) {
      expect(await unattended(gateway)).toBe(429);
      await admin(gateway, 'PUT /clock', { advance: '4d' });
      expect(gateway.app.clock.now()).toBe(now + 4 * DAY_MS);
      expect((await other.ask(status)).json.transactionStatus).toBe('ACSC');
      await admin(gateway, 'POST /bank/snapshots/before/restore');
      expect((await other.ask(`GET /consents/${later.id}`)).status).toBe(403);
      expect((await other.ask(status)).json.transactionStatus).toBe(before);
    }
    await gateway.records();
    expect(await gateway.app.store.chains.notes('test', 'disturbed')).toEqual([]);
    await end(gateway);
  }
  await evidenceOf(c);
});
