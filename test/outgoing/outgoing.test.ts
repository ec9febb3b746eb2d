/** Requests to others end with an answer or an error, whatever they ask and whatever comes back. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readStream } from '../../src/files/index.js';
import { answerTo, openRequest } from '../../src/outgoing/index.js';
import { flood, startAnswering, trickle } from '../switching-server.js';

const LIMIT_MS = 300;
const LATE_MS = 10_000;
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'CONNECT', 'connect'];
const says = (head: string) => (socket: Socket) => void socket.write(`HTTP/1.1 ${head}\r\n\r\n`);

it.each<[string, (socket: Socket) => void]>([
  ['200 without an end', says('200 OK\r\nContent-Length: 5')],
  ['405', says('405 Method Not Allowed\r\nContent-Length: 0')],
  ['101', says('101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other')],
  ['101 without an upgrade', says('101 Switching Protocols')],
  ['interim answers without end', flood],
  ['a byte now and then', trickle],
  ['nothing', () => {}],
  ['the end of its connection', (socket) => void socket.end()],
])('a request that is answered by %s ends within its limit, whatever its method', async (_, answer) => {
  const url = new URL(`http://127.0.0.1:${await startAnswering(answer)}/`);
  const ended = METHODS.map(async (method) => {
    const asked = answerTo(url, { method }, AbortSignal.timeout(LIMIT_MS)).then((got) =>
      readStream(got, 100),
    );
    const late = new AbortController();
    const end = asked.then(
      () => 'ended',
      () => 'ended',
    );
    const outcome = await Promise.race([end, pause(LATE_MS, `${method} is under way`, late)]);
    late.abort();
    return outcome;
  });
  expect(new Set(await Promise.all(ended))).toEqual(new Set(['ended']));
});

it('a tunnel that nobody uses is closed, and the failure says so', async () => {
  let socket: Socket | undefined;
  const port = await startAnswering((one) => {
    socket = one;
    says('200 OK')(one);
  });
  const asked = answerTo(new URL(`http://127.0.0.1:${port}/`), { method: 'CONNECT' });
  await expect(asked).rejects.toThrow('CONNECT opens a tunnel');
  await expect.poll(() => socket?.destroyed).toBe(true);
});

it.each<[string, Parameters<typeof openRequest>[1], boolean]>([
  ['without headers', {}, true],
  ['with headers', { headers: { Accept: 'text/plain' } }, true],
  ['with headers in their order', { headers: ['Host', 'localhost', 'Accept', 'text/plain'] }, true],
  ['that says that nobody sent it', { headers: { 'Sandgate-Sent': '' } }, true],
  ['to an address of the user', { headers: { Accept: 'text/plain' }, isOwn: true }, false],
])(
  'whether a request %s says that Sandgate sent it is settled in one place',
  async (_, options, isMarked) => {
    let head = '';
    const port = await startAnswering((socket, bytes) => {
      head = String(bytes);
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const request = openRequest(new URL(`http://127.0.0.1:${port}/`), { agent: false, ...options });
    await once(request.end(), 'response');
    expect(/^sandgate-sent: 1\r$/im.test(head)).toBe(isMarked);
  },
);
