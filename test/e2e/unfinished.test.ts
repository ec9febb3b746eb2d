/** A gateway that is killed, or runs out of disk, before a real bank: what was sent there is on record. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { readAll, startBank } from '../answer/upstream/bank.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { startProgram, startServing, temporaryFolder } from './child.js';
import { testCertificates } from './harness.js';

const PAYMENTS = '/stdgroup/v1/payments/sepa-credit-transfers';
const FLAGS = {
  upstream: '--upstream',
  upstreamCa: '--upstream-ca',
  upstreamCert: '--upstream-cert',
  upstreamKey: '--upstream-key',
} as const;

/** X-Request-IDs of all that reached it. */
async function aBank(answer: RequestListener) {
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

interface Answered {
  readonly status: number;
  readonly exchange: string | undefined;
}

async function clientOf(api: string) {
  const certs = await testCertificates();
  const file = (name: string) => readFileSync(join(certs, name));
  const identity = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  return (path: string, id: string, body: string, onData: (bytes: number) => void = () => {}) =>
    new Promise<Answered>((resolve, reject) => {
      const headers = { 'X-Request-ID': id, 'Content-Type': 'application/json' };
      const sent = httpsRequest(`${api}${path}`, { ...identity, method: 'POST', headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          onData(bytes);
        });
        const exchange = response.headers['sandgate-exchange']?.toString();
        response.on('end', () => resolve({ status: response.statusCode ?? 0, exchange }));
        response.on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
}

async function run(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await startProgram(args, { folder }).ended;
  expect(code === 0 || code === 1, stderr).toBe(true);
  return stdout;
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('a streamed answer', () => {
  it('that kill -9 cuts off is told as begun and unfinished by show, export and report', async () => {
    const bank = await aBank((_request, response) => {
      response.writeHead(201, { 'Content-Type': 'application/octet-stream' });
      // More than is read whole, and no end.
      response.write(Buffer.alloc(2_000_000, 'x'));
    });
    const serving = await startServing(await testCertificates(), [...bank.flags, '--record-cap', '100KiB']);
    const post = await clientOf(serving.ready.api);
    const isCut = post(PAYMENTS, idOf(1), '{"creditorName":"Jane"}', (bytes) => {
      if (bytes > 1_000_000) serving.process.kill('SIGKILL');
    });
    await expect(isCut).rejects.toThrow();
    await serving.ended;
    const { folder } = serving;
    const shown = await run(folder, 'sessions', 'show', 'test', '--store', 'store.db');
    expect(shown).toContain('unfinished: Sent to the bank, which may have acted on it; no end is recorded.');
    expect(await run(folder, 'sessions', 'export', 'test', '--store', 'store.db')).toContain('"unfinished"');
    await run(folder, 'report', 'test', '--store', 'store.db', '--format', 'json', '--out', 'report.json');
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(report.traffic.faults).toContainEqual(expect.objectContaining({ kind: 'unfinished', count: 1 }));
    expect(report.head.notes.join(' ')).toContain('1 exchanges have no recorded end');
    // The report goes on to be true, also when more is recorded.
    const again = await startServing(await testCertificates(), ['--stance', 'observe'], folder);
    const { status } = await (await clientOf(again.ready.api))(PAYMENTS, idOf(2), '{}');
    expect(status).toBeGreaterThanOrEqual(400);
    again.process.kill('SIGTERM');
    await again.ended;
    expect(await run(folder, 'verify', 'report.json', '--store', 'store.db')).toContain(
      'follows from the recording',
    );
  });
});

describe('a disk that is full', () => {
  it('lets no payment reach the bank that is not on record, and no answer leave that is not', async () => {
    const bank = await aBank((_request, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.end('{"paymentId":"P1","transactionStatus":"RCVD"}');
    });
    const folder = temporaryFolder();
    // The largest file that the gateway may write, in blocks of 512 bytes.
    const serving = await startServing(await testCertificates(), bank.flags, folder, {}, 'ulimit -f 3000;');
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    const post = await clientOf(serving.ready.api);
    const answered: Answered[] = [];
    for (let n = 0; answered.at(-1)?.status !== 503 && n < 2_000; n += 8) {
      const body = JSON.stringify({ creditorName: `Jane ${n}`, padding: 'x'.repeat(5_000) });
      answered.push(
        ...(await Promise.all(Array.from({ length: 8 }, (_, i) => post(PAYMENTS, idOf(n + i), body)))),
      );
    }
    expect((await fetch(`${serving.ready.admin}/healthz`)).status).toBe(200);
    serving.process.kill('SIGKILL');
    await serving.ended;
    expect(answered.filter(({ status }) => ![201, 500, 503].includes(status))).toEqual([]);

    const store = createSqliteStore({ path: serving.store });
    onTestFinished(store.close);
    const ended = [...store.read('test')].map(({ exchange }) => exchange.call);
    const begun = store.unfinished('test').map(({ exchange }) => exchange.call);
    const kept = new Set(ended.map(({ id }) => id));
    expect(answered.filter(({ status, exchange = '' }) => status === 201 && !kept.has(exchange))).toEqual([]);
    const known = new Set([...ended, ...begun].map(({ header }) => header['x-request-id']));
    expect(bank.reached.filter((id) => !known.has(id))).toEqual([]);
    expect([...store.verifyChain('test')]).toEqual([]);
  });
});
