/**
 * Clients that hold connections open: what a limit or refusal ends is gone, even if the client never closes its side.
 */
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { eventually, startTestGateway, type TestGateway } from './harness.js';
import { GET_CONSENT, openTls, statusOf, untilClosed, untilHolds } from './raw.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
/** All that one address may have. */
const MANY = 20;
const SHORT = { 'limits.headersTime': '1s', 'limits.requestTime': '1s' };

const open: (() => Promise<void>)[] = [];
const held: Socket[] = [];
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy();
  for (const close of open.splice(0)) await close();
});

async function start(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ 'limits.connectionsPerAddress': MANY, ...settings });
  open.push(gateway.close);
  return gateway;
}

/** The answers to a client that hears the end of a connection and does not answer it. */
function hold(gateway: TestGateway, bytes: string): Promise<readonly string[]> {
  const one = async () => {
    const socket = await openTls(gateway, { allowHalfOpen: true });
    held.push(socket);
    const answer = untilHolds(socket, '\r\n\r\n');
    socket.on('error', () => {});
    socket.write(bytes);
    return answer;
  };
  return Promise.all(Array.from({ length: MANY }, one));
}

const POST = `POST /stdgroup/v1/consents HTTP/1.1\r\nHost: localhost\r\n`;

describe('the connections of an address are free again after', () => {
  it.each([
    ['CONNECT', 'CONNECT bank.example:443 HTTP/1.1\r\nHost: bank.example\r\n\r\n', 405],
    ['TRACE', `TRACE ${CONSENT} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 405],
    ['Upgrade', `${GET_CONSENT}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 501],
    ['a head that does not end', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ', 408],
    ['a body that does not end', `${POST}Content-Length: 1000\r\n\r\n{`, 408],
    ['chunks that do not end', `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, 408],
    ['what is no HTTP', 'HELO bank.example\r\n\r\n', 400],
    ['a head that is too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a body that is too large', `${POST}Content-Length: 5000000\r\n\r\n{`, 413],
    ['a target with two readings', 'GET /../x HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a last request', `${GET_CONSENT}\r\nConnection: close\r\n\r\n`, 200],
  ])('%s', async (_, bytes, status) => {
    const gateway = await start(status === 408 ? SHORT : {});
    const answers = await hold(gateway, bytes);
    expect(new Set(answers.map(statusOf))).toEqual(new Set([status]));
    for (const answer of answers) expect(answer).toMatch(/^connection: close\r$/im);
    await eventually(async () => expect((await gateway.call(CONSENT)).status).toBe(200));
  });
});

describe('what is refused with its connection', () => {
  let bank: BankBehind;
  const behind = async (settings = {}) => {
    bank = await openBankBehind((_, response) => response.end('{}'), settings);
    open.push(bank.close);
    return bank.gateway;
  };

  it.each([
    ['TRACE', `TRACE ${CONSENT} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 405],
    ['Upgrade', `${GET_CONSENT}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n\r\n`, 501],
  ])('by %s reaches no bank, nor does what follows it, and is recorded', async (_, bytes, status) => {
    const gateway = await behind();
    const socket = await openTls(gateway);
    const answer = untilClosed(socket);
    socket.write(`${bytes}${GET_CONSENT}\r\n\r\n`);
    const text = await answer;
    expect([statusOf(text), text.match(/HTTP\/1\.1 /g)?.length, bank.seen]).toEqual([status, 1, []]);
    const [record] = await gateway.records();
    expect(record?.exchange).toMatchObject({ answer: { status, source: 'gateway' } });
  });

  it('because its head came too late reaches no bank when the rest of it comes after all', async () => {
    const gateway = await behind(SHORT);
    const socket = await openTls(gateway, { allowHalfOpen: true });
    held.push(socket);
    socket.on('error', () => {});
    socket.write(GET_CONSENT);
    await untilHolds(socket, '408');
    socket.write('\r\n\r\n');
    expect((await gateway.call(CONSENT)).status).toBe(200);
    expect(bank.seen).toHaveLength(1);
  });

  it('tells with 405 what is offered', async () => {
    const gateway = await start();
    const socket = await openTls(gateway);
    const answer = untilClosed(socket);
    socket.write('TRACE /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await answer).toMatch(/^Allow: GET, HEAD, POST, DELETE\r$/m);
  });
});
