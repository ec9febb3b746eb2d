/**
 * The way to the bank alone, without listeners and recording: its price against bare `Pool.dispatch`, and what is left
 * behind by thousands of calls that are aborted or fail, there and through a whole gateway. By itself:
 * `npx tsx bench/upstream.ts [--calls N]`; N calls fail, and half as many are aborted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Dispatcher, Pool } from 'undici';
import { createCredentials, createUpstream, type UpstreamLimits } from '../src/answer/upstream/index.js';
import { createWorld } from '../src/bank/index.js';
import { openCall } from '../src/exchange/index.js';
import { dialectOf } from '../src/spec/index.js';
import { benchCertificates } from './certificates.js';
import { stormOfGateway } from './gateway-storms.js';
import { partOf, startServer } from './processes.js';

const CONNECTIONS = 32;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes, after a collection. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const recognise = dialectOf().recognise;
const TARGET = '/stdgroup/v1/accounts';

const call = openCall(
  {
    id: '1',
    session: 'bench',
    at: 0,
    listener: 'api',
    connection: { address: '127.0.0.1', tls: null },
    certificate: 'absent',
    method: 'GET',
    target: TARGET,
    headers: [
      ['Host', 'localhost'],
      ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
      ['Consent-ID', 'VALID_CONSENT_ID'],
      ['Authorization', 'Bearer token'],
      ['Accept', 'application/json'],
    ],
    body: null,
  },
  recognise('GET', TARGET),
);

function openUpstream(certs: string, port: number, limits: Partial<UpstreamLimits> = {}) {
  const credentials = createCredentials({
    fallback: { cert: join(certs, 'tpp.pem'), key: join(certs, 'tpp.key') },
    ca: [join(certs, 'ca.pem')],
    env: {},
    log: { info: () => {}, warn: () => {} },
    reloadMs: 0,
  });
  const urls = () => ({ api: 'https://127.0.0.1:8443', psu: 'https://127.0.0.1:8444' });
  const target = new URL(`https://localhost:${port}`);
  const upstream = createUpstream({
    ...{ target, credentials, recognise, rewrite: true, urls, limits },
    ...{ proof: () => null, lendsToAnyone: false },
  });
  const world = createWorld();
  const ask = (signal = new AbortController().signal) =>
    Promise.resolve(upstream.answer(call, { ...world, refusal: null, now: 0, signal }));
  return { upstream, ask };
}

/** Calls a second. */
async function rate(seconds: number, ask: () => Promise<unknown>): Promise<number> {
  let counted = 0;
  let end = performance.now() + Math.min(seconds, 1) * 1_000;
  const loop = async () => {
    while (performance.now() < end) {
      await ask();
      counted++;
    }
  };
  const loops = () => Promise.all(Array.from({ length: CONNECTIONS }, loop));
  await loops();
  counted = 0;
  end = performance.now() + seconds * 1_000;
  await loops();
  return counted / seconds;
}

async function measureForwarding(
  certs: string,
  seconds: number,
): Promise<{ bare: number; upstream: number }> {
  const bank = await startServer([...partOf('bare-server'), certs]);
  const file = (name: string) => readFileSync(join(certs, name));
  const connect = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  const pool = new Pool(`https://localhost:${bank.port}`, { connect, connections: CONNECTIONS });
  const headers = call.request.headers.slice(1).flat();
  const bare = await rate(seconds, () => collect(pool, headers));
  await pool.close();
  const { upstream, ask } = openUpstream(certs, bank.port);
  const measured = await rate(seconds, ask);
  await upstream.close();
  await bank.stop();
  return { bare, upstream: measured };
}

function collect(pool: Pool, headers: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(Buffer.concat(chunks)),
      onResponseError: (_, error) => reject(error),
    };
    pool.dispatch({ method: 'GET', path: TARGET, headers }, handler);
  });
}

interface Storm {
  readonly calls: number;
  /** Of the bank, when all is over. */
  readonly socketsLeft: number;
  readonly placesTaken: number;
  /** Bytes of heap more than after the first tenth. */
  readonly heapGrowth: number;
  readonly seconds: number;
}

/** A bank that never ends an answer, or never begins one, and clients that go away. */
function stormOfAborts(certs: string, calls: number): Promise<Storm> {
  return storm(
    certs,
    calls,
    (socket, n) => {
      if (n % 2 === 1) socket.write(HALF);
    },
    true,
  );
}

/** A bank that breaks off, sends nonsense, or closes. */
function stormOfFailures(certs: string, calls: number): Promise<Storm> {
  const endings = [
    HALF,
    'HTTP/1.1 2',
    'nonsense\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n',
    '',
  ];
  return storm(certs, calls, (socket, n) => void socket.end(endings[n % endings.length] ?? ''), false);
}

const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';

async function storm(
  certs: string,
  calls: number,
  script: (socket: Socket, n: number) => void,
  aborts: boolean,
): Promise<Storm> {
  const sockets = new Set<Socket>();
  const file = (name: string) => readFileSync(join(certs, name));
  let asked = 0;
  const tls = {
    cert: file('server.pem'),
    key: file('server.key'),
    requestCert: true,
    rejectUnauthorized: false,
  };
  const bank = createServer(tls, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', () => script(socket, ++asked));
  });
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  const { upstream, ask } = openUpstream(certs, (bank.address() as AddressInfo).port);
  const begun = performance.now();
  let early = 0;
  for (let done = 0; done < calls; done += CONNECTIONS) {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, i) => {
        if (!aborts) return ask();
        const stop = new AbortController();
        setTimeout(() => stop.abort(), i % 37);
        return ask(stop.signal);
      }),
    );
    if (early === 0 && done > calls / 10) early = heapUsed();
  }
  const seconds = (performance.now() - begun) / 1_000;
  // Connections that were still being made are finished, for the calls after these.
  for (let turn = 0; turn < 50 && upstream.load().active > 0; turn++) await wait(100);
  const { active, waiting } = upstream.load();
  await upstream.close();
  await wait(100);
  const result = {
    calls,
    socketsLeft: sockets.size,
    placesTaken: active + waiting,
    heapGrowth: heapUsed() - early,
    seconds,
  };
  bank.close();
  return result;
}

async function main(calls: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
  try {
    const certs = await benchCertificates();
    const { bare, upstream } = await measureForwarding(certs, Math.min(4, calls / 1_000));
    console.log(
      `forwarding: ${upstream.toFixed(0)}/s, bare dispatch ${bare.toFixed(0)}/s, ratio ${(upstream / bare).toFixed(2)}`,
    );
    console.log('aborts:', await stormOfAborts(certs, calls / 2));
    console.log('failures:', await stormOfFailures(certs, calls));
    const all = { certs, failures: calls, aborts: calls / 2, heapUsed };
    console.log('through a whole gateway:', await stormOfGateway(all));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { calls: { type: 'string', default: '10000' } } });
await main(Number(values.calls));
