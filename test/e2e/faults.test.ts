/** Whatever goes wrong on the way to a bank: an answer of the gateway, its cause in the recording, and nothing left behind. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { UpstreamLimits } from '../../src/answer/upstream/index.js';
import type { Fault } from '../../src/exchange/index.js';
import { BAD_BANKS, head, SHORT } from '../answer/upstream/bad-banks.js';
import { type Bank, startBank, startScriptedBank } from '../answer/upstream/bank.js';
import { createFiles, type Pair } from '../answer/upstream/certificates.js';
import { REQUEST_ID } from '../builders.js';
import { collectGarbage } from '../collect-garbage.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { eventually, startTestGateway, type TestGateway } from './harness.js';
import { openTls } from './raw.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';

const files = createFiles();
const open: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
afterAll(files.remove);

/** `limits` under the names of the settings. */
async function gatewayTo(
  url: URL,
  limits: Partial<UpstreamLimits> = {},
  settings: Record<string, unknown> = {},
): Promise<TestGateway> {
  const named = Object.entries(limits).map(([name, value]) => [
    `upstreamLimits.${name.replace(/Ms$/, '')}`,
    name.endsWith('Ms') ? `${value}ms` : value,
  ]);
  const gateway = await startTestGateway({
    ...settingsFor(url, files),
    ...Object.fromEntries(named),
    ...settings,
  });
  open.push({ close: () => gateway.app.close() });
  return gateway;
}

async function bankThat(
  onHead: (socket: TLSSocket, head: string, count: number) => void,
  pair?: Pair,
): Promise<Bank> {
  const bank = await startScriptedBank(bankCertificates, onHead, pair);
  open.push(bank);
  return bank;
}

async function expectFault(
  gateway: TestGateway,
  status: number,
  kind: Fault['kind'],
  words: RegExp,
): Promise<void> {
  const answer = await gateway.call(CONSENT);
  const record = (await gateway.records()).at(-1);
  expect(record?.exchange.fault).toEqual({ kind, message: expect.stringMatching(words) });
  expect(record?.exchange.answer).toMatchObject({ status, source: 'gateway' });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'sandgate-source': 'gateway',
    'sandgate-exchange': record?.exchange.call.id,
    'x-request-id': REQUEST_ID,
  });
  const code = status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  const text = `Sandgate, not the bank, gives this answer. ${record?.exchange.fault?.message}`;
  expect(answer.json).toEqual({ tppMessages: [{ category: 'ERROR', code, text }] });
  // The bank said nothing that could be held against it.
  expect(record?.findings.filter(({ judges }) => judges === 'aspsp')).toEqual([]);
}

it('a dead bank is told of in the log, with its cause', async () => {
  const gateway = await gatewayTo(new URL('https://127.0.0.1:9/'), {}, { logLevel: 'warn' });
  await gateway.call(CONSENT);
  await gateway.call(CONSENT);
  const warnings = gateway.logged().filter(({ level }) => level === 'warn');
  expect(warnings).toEqual([
    expect.objectContaining({ cause: expect.stringMatching(/127\.0\.0\.1:9\) refused/), failedBefore: 0 }),
  ]);
});

describe('a bank that', () => {
  const cases = BAD_BANKS.map(([name, script, status, kind, words, limits]) => ({
    ...{ name, script, status, kind, words, limits },
  }));
  it.each(cases)('$name', async ({ script, status, kind, words, limits }) => {
    const bank = await bankThat(script);
    await expectFault(await gatewayTo(bank.url, { ...SHORT, ...limits }), status, kind, words);
    await eventually(() => expect(bank.sockets.size).toBe(0));
  });
});

describe('a connection that cannot be made', () => {
  async function listener(reply?: (bytes: Buffer) => string): Promise<URL> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => {});
      if (reply !== undefined) socket.once('data', (bytes) => socket.end(reply(bytes)));
      open.push({ close: async () => socket.destroy() });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: async () => server.close() });
    return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  it('because nobody listens', async () => {
    const url = await listener();
    await open.pop()?.close();
    await expectFault(await gatewayTo(url), 502, 'refused', /refused the connection/);
  });

  it('because there is no such name', async () => {
    const gateway = await gatewayTo(new URL('https://no-bank.invalid'));
    await expectFault(gateway, 502, 'dns', /name of the bank \(no-bank.invalid\) cannot be resolved/);
  });

  it('because the handshake is never finished', async () => {
    await expectFault(
      await gatewayTo(await listener(), SHORT),
      504,
      'timeout',
      /no connection within 0.15 s/,
    );
  });

  it('because no TLS is spoken', async () => {
    const url = await listener(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    await expectFault(await gatewayTo(url), 502, 'tls', /does not speak TLS/);
  });

  it.each([
    ['expired', bankCertificates.expiredServer, /certificate has expired/],
    ['for another name', bankCertificates.misnamedServer, /for another name/],
    ['of another CA', bankCertificates.untrustedServer, /--upstream-ca/],
  ])('because the certificate of the bank is %s', async (_, pair, words) => {
    const bank = await bankThat((socket) => socket.write(head('Content-Length: 0')), pair);
    await expectFault(await gatewayTo(bank.url), 502, 'tls', words);
    expect(bank.connections()).toBe(0);
  });

  it.each([
    ['foreign', bankCertificates.foreignClient],
    ['missing', null],
  ])('because the certificate of the gateway is %s', async (_, pair) => {
    const bank = await bankThat((socket) => socket.write(head('Content-Length: 0')));
    const own =
      pair === null
        ? { upstreamCert: undefined, upstreamKey: undefined }
        : { upstreamCert: files.write('own.pem', pair.cert), upstreamKey: files.write('own.key', pair.key) };
    const gateway = await gatewayTo(bank.url, {}, own);
    expect((await gateway.call(CONSENT)).status).toBe(502);
    const record = (await gateway.records()).at(-1);
    // After a TLS 1.3 handshake the refusal may come as a closed connection only.
    expect(record?.exchange.fault?.kind).toMatch(/^(?:tls|reset)$/);
    expect(record?.exchange.fault?.message).toMatch(/client certificate/);
  });

  it('because it is TLS 1.1 or older', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const bank = await startBank(bankCertificates, (_, response) => response.end(), old);
    open.push(bank);
    await expectFault(await gatewayTo(bank.url), 502, 'tls', /TLS/);
  });
});

describe('more calls than may be on their way', () => {
  it('get 503 with Retry-After beyond the queue', async () => {
    const bank = await bankThat(() => {});
    const gateway = await gatewayTo(bank.url, { concurrency: 1, queued: 1, wholeMs: 500 });
    const calls = [gateway.call(CONSENT), gateway.call(CONSENT), gateway.call(CONSENT)];
    const first = await Promise.race(calls);
    expect([first.status, first.headers['retry-after'], first.codes]).toEqual([
      503,
      '1',
      ['SERVICE_UNAVAILABLE'],
    ]);
    expect((await Promise.all(calls)).map(({ status }) => status).toSorted()).toEqual([503, 504, 504]);
    const kinds = (await gateway.records()).map(({ exchange }) => exchange.fault?.kind);
    expect(kinds.toSorted()).toEqual(['overload', 'timeout', 'timeout']);
  });
});

describe('hundreds of failures of every quick kind', () => {
  const FAILURES = 300;
  const GONE = 60;
  /** How a bank can fail at once, and one way in which it does not. */
  const ENDINGS = [
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc',
    'HTTP/1.1 2',
    'nonsense\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n',
    '',
    head('Content-Length: 2').concat('ok'),
  ];

  const heapUsed = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  /** Names of what keeps the event loop alive. */
  const handles = (kind: string) =>
    process.getActiveResourcesInfo().filter((name) => name.includes(kind)).length;

  async function expectRecorded(gateway: TestGateway): Promise<void> {
    const records = await eventually(async () => {
      const all = await gateway.records();
      expect(all).toHaveLength(FAILURES + GONE);
      return all;
    });
    const kinds = new Set(records.map(({ exchange }) => exchange.fault?.kind ?? 'none'));
    expect([...kinds].toSorted()).toEqual(['client-gone', 'malformed', 'none', 'reset']);
    for (const { exchange } of records)
      expect(exchange.answer === null).toBe(exchange.fault?.kind === 'client-gone');
  }

  it('leave no socket, no timer and no memory behind, and a recording of each', {
    timeout: 60_000,
  }, async () => {
    const bank = await bankThat((socket, request, count) => {
      // What is asked by a client that will go away is never answered.
      if (!request.startsWith('DELETE')) socket.end(ENDINGS[count % ENDINGS.length] ?? '');
    });
    const gateway = await gatewayTo(bank.url, {}, { 'limits.connectionsPerAddress': 1_000 });
    const fail = async (count: number) => {
      for (let done = 0; done < count; done += 20)
        await Promise.all(Array.from({ length: 20 }, () => gateway.call(CONSENT)));
    };
    const leave = async () => {
      const socket = await openTls(gateway);
      const before = bank.sockets.size;
      socket.write(`DELETE ${CONSENT} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      if (before % 2 === 0) await eventually(() => expect(bank.sockets.size).toBeGreaterThan(0));
      socket.destroy();
    };
    await fail(100);
    for (let i = 0; i < 20; i++) await leave();
    await eventually(() => expect(bank.sockets.size).toBe(0));
    const [heap, timers] = [heapUsed(), handles('Timeout')];

    await fail(FAILURES - 100);
    for (let done = 20; done < GONE; done += 20) await Promise.all(Array.from({ length: 20 }, leave));
    await eventually(() => expect(bank.sockets.size).toBe(0));

    await expectRecorded(gateway);
    expect(handles('Timeout')).toBeLessThanOrEqual(timers + 5);
    expect(heapUsed() - heap).toBeLessThan(5 * 1_048_576);
    expect((await gateway.call('/readyz', { side: 'admin' })).status).toBe(200);
  });
});
