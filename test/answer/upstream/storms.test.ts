/**
 * Thousands of calls that fail or whose client goes away, and what is left of them: nothing. Over plain TCP, where they
 * take seconds; `tsx bench/upstream.ts` does the same over TLS and through a whole gateway.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createCredentials, createUpstream, type Upstream } from '../../../src/answer/upstream/index.js';
import { createWorld } from '../../../src/bank/index.js';
import type { Fault } from '../../../src/exchange/index.js';
import { aCall, NOW } from '../../builders.js';
import { collectGarbage } from '../../collect-garbage.js';
import { GATEWAY, quiet, recognise, TO_ALL, until } from './bank.js';

const heapUsed = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const AT_ONCE = 50;
const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
const ENDINGS = [
  HALF,
  'HTTP/1.1 2',
  'nonsense\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n',
  '',
];

const sockets = new Set<Socket>();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function bankThat(script: (socket: Socket, asked: number) => void): Promise<URL> {
  let asked = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', () => script(socket, ++asked));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function openWay(target: URL): Upstream {
  const credentials = createCredentials({ ca: [], env: {}, log: quiet, reloadMs: 0 });
  return createUpstream({ ...TO_ALL, target, credentials, recognise, rewrite: true, urls: () => GATEWAY });
}

/** Makes the calls, 50 at a time, and counts their faults; what is left is compared with how it was after a tenth. */
async function storm(upstream: Upstream, calls: number, signalOf: (n: number) => AbortSignal) {
  const faults: Partial<Record<Fault['kind'], number>> = {};
  const context = { ...createWorld(), refusal: null, now: NOW };
  const call = aCall({});
  const before = timers();
  let early = 0;
  for (let done = 0; done < calls; done += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        upstream.answer(call, { ...context, signal: signalOf(done + i) }),
      ),
    );
    for (const answered of answers) {
      const kind = answered?.fault?.kind;
      if (kind !== undefined) faults[kind] = (faults[kind] ?? 0) + 1;
    }
    if (early === 0 && done >= calls / 10) early = heapUsed();
  }
  await until(() => upstream.load().active === 0, 'all calls are ended');
  const heapGrowth = heapUsed() - early;
  await upstream.close();
  await until(() => sockets.size === 0, 'all connections are closed');
  await until(() => timers() <= before, 'all timers are gone');
  return { faults, heapGrowth };
}

const MEGABYTE = 1_048_576;

it('2,000 clients that go away at any moment of a call leave no socket, no timer and no memory', async () => {
  const target = await bankThat((socket, asked) => {
    if (asked % 3 === 0) socket.write(HALF);
  });
  const { faults, heapGrowth } = await storm(openWay(target), 2_000, (n) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), n % 23);
    return stop.signal;
  });
  expect(faults).toEqual({ 'client-gone': 2_000 });
  expect(heapGrowth).toBeLessThan(2 * MEGABYTE);
});

it('3,000 answers that fail leave no socket, no timer and no memory', async () => {
  const target = await bankThat((socket, asked) => void socket.end(ENDINGS[asked % ENDINGS.length] ?? ''));
  const { faults, heapGrowth } = await storm(openWay(target), 3_000, () => new AbortController().signal);
  expect((faults.reset ?? 0) + (faults.malformed ?? 0)).toBe(3_000);
  expect(heapGrowth).toBeLessThan(2 * MEGABYTE);
});
