/** How long a call is waited for. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createSender } from '../../../src/app/rerun/sender.js';
import { collectGarbage } from '../../collect-garbage.js';
import { startSwitching } from '../../switching-server.js';

async function sent(answer: RequestListener) {
  const server = createServer((request, response) => {
    answer(request, response);
    collectGarbage();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return sentTo((server.address() as AddressInfo).port);
}

async function sentTo(port: number) {
  const sender = createSender({ ca: [], timeout: 500, signal: new AbortController().signal });
  onTestFinished(sender.close);
  const url = new URL(`http://127.0.0.1:${port}/`);
  return sender.send({ method: 'GET', url, headers: [], body: null, identity: null, repeatable: true });
}

it.each<[string, RequestListener]>([
  ['that sends no byte', () => {}],
  ['that stops in the middle of its answer', (_, response) => response.writeHead(200).write('{')],
])(
  'a bank %s is waited for no longer than was said, though the garbage collector has run',
  async (_, answer) => {
    expect(await sent(answer)).toEqual({ problem: 'no answer within 0.5 s', sent: true, repeated: false });
  },
);

it('a bank that switches protocols instead of answering is not waited for, nor asked again', async () => {
  const problem = 'it switched protocols, which nobody asked for';
  expect(await sentTo(await startSwitching())).toEqual({ problem, sent: true, repeated: false });
});
