/** `sandgate wait`: scripts that start a gateway go on when it is ready, and end where it never is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestGateway } from '../e2e/harness.js';
import { startSwitching } from '../switching-server.js';
import { sandgate } from './run-command.js';

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Answers `/readyz` one after the other, the last answer for good. */
async function listen(...answers: (readonly [status: number, body: unknown])[]): Promise<string> {
  const server = createServer((_request, response) => {
    const [status, body] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, ''];
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const waiting = (address: string, ...more: string[]) =>
  sandgate(['wait', '--admin-listen', address, ...more], { clock: Date.now });
const NOT_READY = {
  status: 'not ready',
  checks: [{ name: 'store', ok: false, problem: 'The disk is full.' }],
};

describe('wait', () => {
  it('ends when a gateway is ready', async () => {
    const gateway = await startTestGateway();
    open.push(gateway);
    const { host } = new URL(gateway.urls.admin);
    expect(await waiting(host)).toEqual({
      status: 0,
      out: `The gateway at http://${host} is ready.\n`,
      err: '',
    });
    expect(JSON.parse((await waiting(host, '--json')).out)).toEqual({ ready: true, admin: `http://${host}` });
  });

  it('takes the address out of the settings of serve', async () => {
    const address = await listen([200, { status: 'ready' }]);
    const env = { SANDGATE_ADMIN_LISTEN: address };
    expect((await sandgate(['wait'], { env, clock: Date.now })).status).toBe(0);
  });

  it('goes on asking until then', async () => {
    const address = await listen([503, NOT_READY], [503, NOT_READY], [200, { status: 'ready' }]);
    expect((await waiting(address)).status).toBe(0);
  });

  it.each([
    ['where it is not ready in time', [503, NOT_READY], ': The disk is full. Read the output'],
    ['where somebody else listens', [200, 'hello'], ': what listens there answers 200 and is not a gateway.'],
  ] as const)('ends with status 3 %s', async (_, answer, why) => {
    const { status, err } = await waiting(await listen(answer), '--timeout', '1ms');
    expect([status, err]).toEqual([3, expect.stringContaining(why)]);
  });

  it('ends with status 3 where an answer never ends', async () => {
    const server = createServer((_request, response) => {
      const again = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(again));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    const { port } = server.address() as AddressInfo;
    const { status, err } = await waiting(`127.0.0.1:${port}`, '--timeout', '1ms');
    expect([status, err]).toEqual([3, expect.stringContaining(': it does not answer.')]);
  });

  it('ends with status 3 where protocols are switched instead of an answer', async () => {
    const { status, err } = await waiting(`127.0.0.1:${await startSwitching()}`, '--timeout', '1ms');
    expect([status, err]).toEqual([3, expect.stringContaining(': it switched protocols')]);
  });

  it('ends with status 3 where nobody listens, and says where to look', async () => {
    const address = await listen([200, '']);
    for (const one of open.splice(0)) one.close();
    const { status, err } = await waiting(address, '--timeout', '10ms');
    expect([status, err]).toEqual([
      3,
      `No gateway was ready at http://${address} within 10ms: nothing listens there. Read the output of sandgate serve.\n`,
    ]);
  });

  it.each([
    [['--timeout', '30'], 'A time with its unit is expected'],
    [['--admin-listen', '127.0.0.1:0'], 'wait cannot know the port'],
    [['--admin-listen', 'here:there'], '--admin-listen here:there: an address is expected'],
  ])('refuses %j', async (args, words) => {
    const { status, err } = await sandgate(['wait', ...args], { clock: Date.now });
    expect([status, err]).toEqual([2, expect.stringContaining(words)]);
  });
});
