/** Thousands of failures and aborting clients through a whole gateway: what is recorded, and what is left behind. */
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, createServer } from 'node:tls';
import { Agent, request } from 'undici';
import { startGateway } from '../src/testing/index.js';

const AT_ONCE = 32;
const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const ENDINGS = [
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc',
  'HTTP/1.1 2',
  'nonsense\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n',
  '',
];

export interface GatewayStorm {
  readonly failures: number;
  readonly aborts: number;
  /** By the fault that was recorded. */
  readonly recorded: Readonly<Record<string, number>>;
  /** Of the bank, when all is over and the gateway still runs. */
  readonly socketsLeft: number;
  readonly timersLeft: number;
  /** Bytes of heap more than after the first tenth. */
  readonly heapGrowth: number;
  readonly seconds: number;
}

export interface GatewayStormParts {
  readonly certs: string;
  readonly failures: number;
  readonly aborts: number;
  /** Bytes, after a collection. */
  readonly heapUsed: () => number;
}

export async function stormOfGateway({
  certs,
  failures,
  aborts,
  heapUsed,
}: GatewayStormParts): Promise<GatewayStorm> {
  const bank = await openBadBank(certs);
  const gateway = await startGateway({
    certs,
    upstream: `https://localhost:${bank.port}`,
    settings: {
      upstreamCa: join(certs, 'ca.pem'),
      upstreamCert: join(certs, 'tpp.pem'),
      upstreamKey: join(certs, 'tpp.key'),
      'limits.connectionsPerAddress': '5000',
      logLevel: 'fatal',
    },
  });
  const file = (name: string) => readFileSync(join(certs, name));
  const own = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  const agent = new Agent({ connect: own, connections: AT_ONCE });
  const fail = async () => {
    const answer = await request(`${gateway.urls.api}${PATH}`, { dispatcher: agent });
    await answer.body.dump();
  };
  const leave = (n: number) => goAway(Number(new URL(gateway.urls.api).port), own, n % 37);
  const begun = performance.now();
  await inRounds(failures / 10, fail);
  await inRounds(aborts / 10, leave);
  await until(() => bank.sockets.size === 0);
  const [heap, timers] = [heapUsed(), timersNow()];
  await inRounds(failures - failures / 10, fail);
  await inRounds(aborts - aborts / 10, leave);
  await until(() => bank.sockets.size === 0);
  await gateway.settled();
  const heapGrowth = heapUsed() - heap;
  const timersLeft = Math.max(0, timersNow() - timers);
  const recorded: Record<string, number> = {};
  for (const { fault } of gateway.session().exchanges) {
    const kind = fault?.kind ?? 'none';
    recorded[kind] = (recorded[kind] ?? 0) + 1;
  }
  const socketsLeft = bank.sockets.size;
  const seconds = (performance.now() - begun) / 1_000;
  await agent.close();
  await gateway.close();
  bank.close();
  return { failures, aborts, recorded, socketsLeft, timersLeft, heapGrowth, seconds };
}

const timersNow = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

async function inRounds(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, i) => work(done + i)));
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await wait(50);
}

/** Asks for what is never answered, and is gone after so many ms. */
function goAway(
  port: number,
  own: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer },
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, ...own });
    socket.on('error', () => {}).on('close', () => resolve());
    socket.on('secureConnect', () => {
      socket.write(`DELETE ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      setTimeout(() => socket.destroy(), ms);
    });
  });
}

/** Fails at once, in turns; only what is asked by DELETE is never answered. */
async function openBadBank(certs: string) {
  const file = (name: string) => readFileSync(join(certs, name));
  const sockets = new Set<Socket>();
  let count = 0;
  const tls = {
    cert: file('server.pem'),
    key: file('server.key'),
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server = createServer(tls, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      if (!bytes.toString('latin1').startsWith('DELETE')) socket.end(ENDINGS[++count % ENDINGS.length] ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, sockets, close: () => server.close() };
}
