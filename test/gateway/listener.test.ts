/** The end of a listener, in moments that no client can choose. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openAnswer } from '../../src/exchange/index.js';
import { openListener } from '../../src/gateway/index.js';

const HOUR = 3_600_000;
const LIMITS = {
  ...{ connections: 10, connectionsPerAddress: 10, headers: 16_384, body: 1_024 },
  ...{ handshake: HOUR, headersTime: HOUR, requestTime: HOUR, idle: HOUR, keepAlive: HOUR },
};
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const outgoing = (text: string) => ({
  exchange: text,
  answer: openAnswer({ source: 'emulator', status: 200, headers: [], body: { text, size: text.length } }),
  wire: undefined,
  findings: [],
});

it('that is closed while an answer is just leaving lets the call behind it on the same connection finish', async () => {
  let closed: Promise<void> | undefined;
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const listener = await openListener({
    ...{ listener: 'psu', host: '127.0.0.1', port: 0, flag: '--psu-listen', tls: null, limits: LIMITS },
    ...{ url: () => 'http://localhost', showHeaders: true, pages: null, failures: { take: () => {} } },
    ...{
      time: () => ({ at: 0, ahead: 0 }),
      stopwatch: () => 0,
      peers: { trust: () => ({}) as never, clock: () => 0 },
    },
    onError: (error) => {
      throw error;
    },
    // Asked in the moment before the answer is handed to the socket.
    pageOf: (exchange) => {
      if (exchange === '/first') queueMicrotask(() => (closed = listener.close(HOUR)));
      return `http://localhost${exchange}`;
    },
    pipeline: async ({ target }) => {
      if (target === '/second') await held;
      return outgoing(target);
    },
  });
  const socket = connect(listener.port, '127.0.0.1');
  let read = '';
  socket.setEncoding('utf8').on('data', (text) => {
    read += text;
  });
  socket.write(request('/first') + request('/second'));
  const ended = once(socket, 'close');
  await expect.poll(() => closed !== undefined).toBe(true);
  finish();
  await Promise.all([ended, closed]);
  expect(read.split('\r\n\r\n').slice(1)).toEqual([expect.stringMatching(/^\/firstHTTP/), '/second']);
});
