/** A gateway that is killed, or runs out of disk, before a real bank: what was sent there is on record. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore, type RecordedExchange } from '../../src/store/index.js';
import { readAll, startBank } from '../answer/upstream/bank.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { sandgate } from '../cli/run-command.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { startServing, temporaryFolder } from './child.js';
import { eventually, testCertificates } from './harness.js';

const PAYMENTS = '/stdgroup/v1/payments/sepa-credit-transfers';
const ACCOUNTS = '/stdgroup/v1/accounts';
/** Without the PSU's address the daily limit counts it. */
const ALONE = { Authorization: 'Bearer a-token-of-the-bank', 'Consent-ID': 'VALID_CONSENT_ID' };
const ATTENDED = { ...ALONE, 'PSU-IP-Address': '192.0.2.1' };
const FLAGS = {
  upstream: '--upstream',
  upstreamCa: '--upstream-ca',
  upstreamCert: '--upstream-cert',
  upstreamKey: '--upstream-key',
} as const;

/** X-Request-IDs of all that reached it. */
async function aBank(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const reached: string[] = [];
  const bank = await startBank(bankCertificates, async (request, response) => {
    await readAll(request);
    reached.push(String(request.headers['x-request-id']));
    answer(request, response);
  });
  const files = createFiles();
  onTestFinished(async () => {
    files.remove();
    await bank.close();
  });
  const settings = settingsFor(bank.url, files);
  const flags = Object.entries(FLAGS).flatMap(([key, flag]) => [flag, String(settings[key])]);
  return { reached, flags };
}

interface Sent {
  readonly path: string;
  readonly id: string;
  /** It is posted; without one the call is a read. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onData?: (bytes: number) => void;
}

interface Answered {
  readonly status: number;
  readonly exchange: string | undefined;
}

async function clientOf(api: string) {
  const certs = await testCertificates();
  const file = (name: string) => readFileSync(join(certs, name));
  const identity = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  return ({ path, id, body, headers: more, onData }: Sent) =>
    new Promise<Answered>((resolve, reject) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const headers = { 'X-Request-ID': id, ...type, ...more };
      const method = body === undefined ? 'GET' : 'POST';
      const sent = httpsRequest(`${api}${path}`, { ...identity, method, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          onData?.(bytes);
        });
        const exchange = response.headers['sandgate-exchange']?.toString();
        response.on('end', () => resolve({ status: response.statusCode ?? 0, exchange }));
        response.on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
}

async function run(...args: string[]): Promise<string> {
  const { status, out, err } = await sandgate(args, { clock: Date.now });
  expect(status === 0 || status === 1, err).toBe(true);
  return out;
}

const CREATION = { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' };
const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: 'BE14983120441783' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
};
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('a streamed answer', () => {
  it.each<[string, Pick<Sent, 'path' | 'body' | 'headers'>]>([
    ['a payment', { path: PAYMENTS, body: '{"creditorName":"Jane"}' }],
    ['a read', { path: ACCOUNTS, headers: ATTENDED }],
  ])(
    'to %s that kill -9 cuts off is told as begun and unfinished by show, export and report',
    async (_name, sent) => {
      const bank = await aBank((_request, response) => {
        response.writeHead(201, { 'Content-Type': 'application/octet-stream' });
        // More than is read whole, and no end.
        response.write(Buffer.alloc(2_000_000, 'x'));
      });
      const serving = await startServing(await testCertificates(), [...bank.flags, '--record-cap', '100KiB']);
      const call = await clientOf(serving.ready.api);
      const onData = (bytes: number) => {
        if (bytes > 1_000_000) serving.process.kill('SIGKILL');
      };
      const isCut = call({ ...sent, id: idOf(1), onData });
      await expect(isCut).rejects.toThrow();
      await serving.ended;
      const { folder, store } = serving;
      const reported = join(folder, 'report.json');
      const shown = await run('sessions', 'show', 'test', '--store', store);
      expect(shown).toContain(
        'unfinished: Sent to the bank, which may have acted on it; no end is recorded.',
      );
      expect(await run('sessions', 'export', 'test', '--store', store)).toContain('"unfinished"');
      await run('report', 'test', '--store', store, '--format', 'json', '--out', reported);
      const report = JSON.parse(readFileSync(reported, 'utf8'));
      expect(report.traffic.faults).toContainEqual(expect.objectContaining({ kind: 'unfinished', count: 1 }));
      expect(report.head.notes.join(' ')).toContain('1 exchange has no recorded end');
      // The report goes on to be true, also when more is recorded.
      const again = await startServing(await testCertificates(), ['--stance', 'observe'], folder);
      const callAgain = await clientOf(again.ready.api);
      const { status } = await callAgain({ path: PAYMENTS, id: idOf(2), body: '{}' });
      expect(status).toBeGreaterThanOrEqual(400);
      again.process.kill('SIGTERM');
      await again.ended;
      expect(await run('verify', reported, '--store', store)).toContain('follows from the recording');
    },
  );
});

describe('what kill -9 cuts off before the bank answered', () => {
  it('is on record where something may be lost with it, and a read that was not answered uses up no daily limit', async () => {
    const held: (() => void)[] = [];
    const bank = await aBank((request, response) => {
      const answer = () => {
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'X-Request-ID': request.headers['x-request-id'],
        });
        response.end('{"accounts":[]}');
      };
      if (request.url?.endsWith('?held') === true || request.method === 'POST') held.push(answer);
      else answer();
    });
    const flags = [...bank.flags, '--stance', 'enforce'];
    const serving = await startServing(await testCertificates(), flags);
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    const call = await clientOf(serving.ready.api);
    const readAlone = (using: typeof call, n: number) =>
      using({ path: ACCOUNTS, id: idOf(n), headers: ALONE });
    for (const n of [1, 2, 3]) expect((await readAlone(call, n)).status).toBe(200);
    const cut = [
      { path: PAYMENTS, body: JSON.stringify(PAYMENT), headers: CREATION },
      { path: `${ACCOUNTS}?held`, headers: ALONE },
      { path: `${ACCOUNTS}?held`, headers: ATTENDED },
    ].map((sent, i) => call({ ...sent, id: idOf(11 + i) }).catch(() => null));
    await eventually(async () => expect(held).toHaveLength(3));
    const shown = async (of: typeof serving, path: string) =>
      (await fetch(`${of.ready.admin}${path}`)).json();
    const cutOff = async (of: typeof serving, q = '') =>
      (await shown(of, `/api/exchanges?q=${q}`)).exchanges.map((one: { id: string }) => one.id);
    expect(await cutOff(serving)).toHaveLength(3);
    expect(await cutOff(serving, 'fault:unfinished')).toEqual([]);
    serving.process.kill('SIGKILL');
    await Promise.all([serving.ended, ...cut]);

    const store = createSqliteStore({ path: serving.store, readonly: true });
    const requests = (records: Iterable<RecordedExchange>) =>
      [...records].map(({ exchange }) => exchange.call.header['x-request-id']);
    expect(requests(store.read('test'))).toEqual([1, 2, 3].map(idOf));
    expect(requests(store.calls.unfinished('test'))).toEqual([11, 12].map(idOf));
    store.close();

    const again = await startServing(await testCertificates(), flags, serving.folder);
    onTestFinished(() => void again.process.kill('SIGKILL'));
    const unfinished = await cutOff(again, 'fault:unfinished');
    expect(unfinished).toHaveLength(2);
    expect((await cutOff(again)).slice(0, 2)).toEqual(unfinished);
    expect(await cutOff(again, `request-id:${idOf(11)}`)).toEqual([unfinished[1]]);
    const one = await shown(again, `/api/exchanges/${unfinished[1]}`);
    expect(one).toMatchObject({ id: unfinished[1], fault: 'unfinished' });
    expect((await shown(again, `/api/exchanges/${one.previous}`)).next).toBe(null);
    const alerts = await shown(again, '/api/alerts');
    const ofAlerts = alerts.map(({ kind, exchange }: Record<string, string>) => [kind, exchange]);
    expect(ofAlerts.slice(0, 2)).toEqual(unfinished.map((id: string) => ['unfinished', id]));
    const callAgain = await clientOf(again.ready.api);
    expect((await readAlone(callAgain, 4)).status).toBe(200);
    expect((await readAlone(callAgain, 5)).status).toBe(429);
  });
});

describe('a disk that is full', () => {
  it('lets no payment reach the bank that is not on record, no read while nothing can be recorded, and no answer leave that is not', async () => {
    const bank = await aBank((_request, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.end('{"paymentId":"P1","transactionStatus":"RCVD"}');
    });
    const folder = temporaryFolder();
    // The largest file that the gateway may write, in blocks of 512 bytes.
    const serving = await startServing(await testCertificates(), bank.flags, folder, {}, 'ulimit -f 3000;');
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    const call = await clientOf(serving.ready.api);
    const answered: Answered[] = [];
    for (let n = 0; answered.at(-1)?.status !== 503 && n < 2_000; n += 8) {
      const body = JSON.stringify({ creditorName: `Jane ${n}`, padding: 'x'.repeat(5_000) });
      answered.push(
        ...(await Promise.all(
          Array.from({ length: 8 }, (_, i) => call({ path: PAYMENTS, id: idOf(n + i), body })),
        )),
      );
    }
    const reads: number[] = [];
    for (let n = 5_000; reads.at(-1) !== 503 && n < 7_000; n++) {
      const { status } = await call({ path: ACCOUNTS, id: idOf(n), headers: ATTENDED });
      reads.push(status);
      expect(bank.reached.includes(idOf(n))).toBe(status !== 503);
    }
    expect(reads.at(-1)).toBe(503);
    expect((await fetch(`${serving.ready.admin}/healthz`)).status).toBe(200);
    serving.process.kill('SIGKILL');
    await serving.ended;
    expect(answered.filter(({ status }) => ![201, 500, 503].includes(status))).toEqual([]);

    const store = createSqliteStore({ path: serving.store });
    onTestFinished(store.close);
    const ended = [...store.read('test')].map(({ exchange }) => exchange.call);
    const begun = store.calls.unfinished('test').map(({ exchange }) => exchange.call);
    const kept = new Set(ended.map(({ id }) => id));
    expect(answered.filter(({ status, exchange = '' }) => status === 201 && !kept.has(exchange))).toEqual([]);
    const known = new Set([...ended, ...begun].map(({ header }) => header['x-request-id']));
    expect(bank.reached.filter((id) => id < idOf(5_000) && !known.has(id))).toEqual([]);
    expect([...store.chains.verify('test')]).toEqual([]);
  });
});
