/** The end of a listener, in moments that no client can choose. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openAnswer } from '../../src/exchange/index.js';
import { openListener } from '../../src/gateway/index.js';

const HOUR = 3_600_000;
const LIMITS = {
  ...{ connections: 10, connectionsPerAddress: 10, headers: 16_384, body: 1_024 },
  ...{ handshake: HOUR, headersTime: HOUR, requestTime: HOUR, idle: HOUR, unread: HOUR, keepAlive: HOUR },
};
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const outgoing = (text: string) => ({
  exchange: text,
  answer: openAnswer({ source: 'emulator', status: 200, headers: [], body: { text, size: text.length } }),
  wire: undefined,
  findings: [],
});

/** One whose close begins in the moment before the answer to `/first` is handed to the socket. */
async function closedAtFirst(pipeline: Parameters<typeof openListener>[0]['pipeline']) {
  const closing: { done?: Promise<void> } = {};
  const listener = await openListener({
    ...{ listener: 'psu', host: '127.0.0.1', port: 0, flag: '--psu-listen', tls: null, limits: LIMITS },
    ...{
      url: () => 'http://localhost',
      showHeaders: true,
      pages: null,
      described: null,
      failures: { take: () => {} },
    },
    ...{
      insist: null,
      markOwn: (_, peer) => peer,
      time: () => ({ at: 0, ahead: 0 }),
      stopwatch: () => 0,
      peers: { trust: () => ({}) as never, clock: () => 0 },
    },
    onError: (error) => {
      throw error;
    },
    pageOf: (exchange) => {
      if (exchange === '/first')
        queueMicrotask(() => {
          closing.done = listener.close(HOUR);
        });
      return `http://localhost${exchange}`;
    },
    pipeline,
    turnAway: { refuses: () => false, refusesUnread: () => false },
  });
  const socket = connect(listener.port, '127.0.0.1');
  const ended = once(socket, 'close');
  const heard = { text: '' };
  socket.setEncoding('utf8').on('data', (text) => {
    heard.text += text;
  });
  return { listener, socket, heard, ended, closing };
}

it('that is closed while an answer is just leaving lets the call behind it on the same connection finish', async () => {
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { socket, heard, ended, closing } = await closedAtFirst(async ({ target }) => {
    if (target === '/second') await held;
    return outgoing(target);
  });
  socket.write(request('/first') + request('/second'));
  await expect.poll(() => closing.done !== undefined).toBe(true);
  finish();
  await Promise.all([ended, closing.done]);
  expect(heard.text.split('\r\n\r\n').slice(1)).toEqual([expect.stringMatching(/^\/firstHTTP/), '/second']);
});

it('that is closed while the last answer is just leaving ends the connection behind it', async () => {
  const { socket, heard, ended, closing } = await closedAtFirst(async ({ target }) => outgoing(target));
  socket.write(request('/first'));
  await ended;
  await closing.done;
  expect(heard.text).toMatch(/\r\n\r\n\/first$/);
});

it('that is closed ends a connection that is kept for further calls at once, and its client sees no error', async () => {
  const { listener, socket, heard, ended } = await closedAtFirst(async ({ target }) => outgoing(target));
  socket.write(request('/kept'));
  await expect.poll(() => heard.text).toMatch(/\r\nConnection: keep-alive\r\n.*\r\n\r\n\/kept$/s);
  await listener.close(HOUR);
  await ended;
});
