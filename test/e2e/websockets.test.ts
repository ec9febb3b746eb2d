/** Websockets of the bank's pages: they hold nothing that pages need, and end with whoever asked for them. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { eventually } from './harness.js';
import { openTls, statusOf, untilClosed, untilHolds } from './raw.js';

const MOST = 8;
const open: BankBehind[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A bank whose websockets are never answered, and the sockets on which they are asked for. */
async function behind(settings: Record<string, unknown> = {}, onUpgrade = (_: Duplex) => {}) {
  const bank = await openBankBehind(
    ({ target }, response) => {
      if (target === '/page') response.end('<form>');
    },
    { psuProxy: true, 'upstreamLimits.websockets': MOST, 'upstreamLimits.concurrency': MOST, ...settings },
    { requestCert: false },
  );
  open.push(bank);
  const asked = new Set<Duplex>();
  bank.server.on('upgrade', (_, socket) => {
    asked.add(socket);
    socket.on('error', () => {}).once('close', () => asked.delete(socket));
    socket.resume();
    onUpgrade(socket);
  });
  const upgrade = async (): Promise<Socket> => {
    const socket = await openTls(bank.gateway, { side: 'psu', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(
      'GET /slow HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    return socket;
  };
  const page = (target = '/page') => bank.gateway.call(target, { side: 'psu' });
  return { bank, asked, upgrade, page };
}

describe('websockets that the bank does not answer', () => {
  it('stop no page, and what is too many is 503', async () => {
    const { asked, upgrade, page } = await behind();
    const sockets = await Promise.all(Array.from({ length: MOST }, upgrade));
    await eventually(() => expect(asked.size).toBe(MOST));
    expect((await page()).status).toBe(200);
    const more = await upgrade();
    expect(statusOf(await untilHolds(more, '\r\n\r\n'))).toBe(503);
    for (const socket of [...sockets, more]) socket.destroy();
  });

  it('end at the bank when their clients leave, and make room', async () => {
    const { asked, upgrade } = await behind();
    const sockets = await Promise.all(Array.from({ length: MOST }, upgrade));
    await eventually(() => expect(asked.size).toBe(MOST));
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(asked.size).toBe(0));
    const again = await upgrade();
    await eventually(() => expect(asked.size).toBe(1));
    again.destroy();
  });

  it('are 504 when the bank is late, and free the connections of those who do not leave', async () => {
    const { asked, upgrade } = await behind({
      'upstreamLimits.firstByte': '300ms',
      'limits.connectionsPerAddress': MOST,
    });
    for (let round = 0; round < 2; round++) {
      const sockets = await eventually(async () => Promise.all(Array.from({ length: MOST }, upgrade)));
      const answers = await Promise.all(sockets.map((socket) => untilHolds(socket, '\r\n\r\n')));
      expect(new Set(answers.map(statusOf))).toEqual(new Set([504]));
      await eventually(() => expect(asked.size).toBe(0));
    }
  });
});

describe('a websocket that is open', () => {
  const accept = (socket: Duplex) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');

  it('ends at the bank when its client leaves', async () => {
    const { asked, upgrade } = await behind({}, accept);
    const socket = await upgrade();
    await untilHolds(socket, '101');
    socket.destroy();
    await eventually(() => expect(asked.size).toBe(0));
  });

  it('ends at its client when the bank leaves, and makes room', async () => {
    const { asked, upgrade, page } = await behind({ 'limits.connectionsPerAddress': 1 }, accept);
    const socket = await upgrade();
    await untilHolds(socket, '101');
    for (const one of asked) one.destroy();
    await eventually(async () => expect((await page()).status).toBe(200));
    socket.destroy();
  });

  it('does not last longer than a streamed body may', async () => {
    const { asked, upgrade } = await behind({ 'upstreamLimits.stream': '300ms' }, accept);
    const socket = await upgrade();
    await untilClosed(socket.end());
    await eventually(() => expect(asked.size).toBe(0));
  });
});

it.each([
  ['out of the base path', 'GET /%2e%2e/internal HTTP/1.1\r\nHost: localhost', 'websocket', 400],
  ['with two hosts', 'GET /x HTTP/1.1\r\nHost: localhost\r\nHost: other', 'websocket', 400],
  ['to another protocol', 'GET /x HTTP/1.1\r\nHost: localhost', 'h2c', 501],
  ['of a form', 'POST /x HTTP/1.1\r\nHost: localhost', 'websocket', 501],
])('an upgrade %s reaches no bank', async (_, head, protocol, status) => {
  const { bank, asked } = await behind();
  const socket = await openTls(bank.gateway, { side: 'psu' });
  const answer = untilClosed(socket);
  socket.write(`${head}\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`);
  expect([statusOf(await answer), asked.size, bank.seen.length]).toEqual([status, 0, 0]);
});

describe('pages that wait for a slow bank', () => {
  it('are 504 when it is late', async () => {
    const { page } = await behind({ 'upstreamLimits.firstByte': '300ms' });
    expect((await page('/slow')).status).toBe(504);
  });

  it('are 503 when others are in front of them for too long, and leave the line with their browser', async () => {
    const { bank, page } = await behind({ 'upstreamLimits.queue': '300ms', 'limits.stop': '100ms' });
    const slow = Array.from({ length: MOST }, () => page('/slow').catch(() => null));
    await eventually(() => expect(bank.seen).toHaveLength(MOST));
    const waiting = await page();
    expect([waiting.status, waiting.text]).toEqual([503, expect.stringContaining('Sandgate, not the bank')]);
    await bank.gateway.app.close();
    await Promise.all(slow);
  });
});
