/** A gateway behind a load balancer that passes TLS through: the PROXY protocol header says who the client is. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually, startTestGateway, type TestGateway } from './harness.js';
import { GET_CONSENT, openTcp, portOf, type Side, statusOf, untilClosed } from './raw.js';

const FROM = { proxyProtocolFrom: '127.0.0.0/8,::1' };
const CALL = `${GET_CONSENT}\r\nConnection: close\r\n\r\n`;
const LINE = 'PROXY TCP4 203.0.113.7 192.0.2.1 50123 8443\r\n';
const SIGNATURE = '0d0a0d0a000d0a515549540a';
const LOCAL = Buffer.from(`${SIGNATURE}20000000`, 'hex');
/** 2001:db8::7, with a TLV of three bytes. */
const BINARY = Buffer.from(
  `${SIGNATURE}2121002a20010db8000000000000000000000007${'00'.repeat(15)}01c3cb20fb040003616263`,
  'hex',
);

let gateway: TestGateway;
afterEach(() => gateway.close());
const start = async (settings: Record<string, unknown> = {}) => {
  gateway = await startTestGateway({ ...FROM, ...settings });
};
const last = async () => (await gateway.records()).at(-1)?.exchange;
const fault = () =>
  eventually(async () => {
    const found = (await last())?.fault;
    expect(found).toBeTruthy();
    return found;
  });

/** What is answered over TLS on a connection that began with these bytes. */
async function callBehind(header: string | Buffer, side: Side = 'api', call = CALL): Promise<string> {
  const socket = await openTcp(gateway, side);
  socket.write(header);
  return callOver(socket, call);
}

function callOver(socket: Socket, call = CALL): Promise<string> {
  const own = { ca: gateway.file('ca.pem'), cert: gateway.file('tpp.pem'), key: gateway.file('tpp.key') };
  const tls = connectTls({ socket, servername: 'localhost', ...own });
  const answer = untilClosed(tls);
  tls.write(call);
  return answer;
}

describe('from a load balancer', () => {
  it.each([
    ['version 1', LINE, '203.0.113.7'],
    ['version 1, IPv6', 'PROXY TCP6 2001:DB8:0::7 ::1 1 2\r\n', '2001:db8::7'],
    ['version 1, an IPv4 address in IPv6', 'PROXY TCP6 ::ffff:203.0.113.7 ::1 1 2\r\n', '203.0.113.7'],
    ['version 2', BINARY, '2001:db8::7'],
    ['version 1, client unknown', 'PROXY UNKNOWN\r\n', '127.0.0.1'],
    ['version 2, the load balancer itself', LOCAL, '127.0.0.1'],
  ])('a call is recorded with the address of its header: %s', async (_name, header, address) => {
    await start();
    expect(statusOf(await callBehind(header))).toBe(200);
    expect((await last())?.call.connection).toMatchObject({ address, tls: { version: 'TLSv1.3' } });
    expect((await last())?.call.certificate).toMatchObject({ chain: { trusted: true } });
  });

  it('the header may come byte by byte, and the first bytes of TLS with its last', async () => {
    await start();
    const socket = connectTcp({ host: '127.0.0.1', port: portOf(gateway), noDelay: true });
    for (const byte of LINE) await new Promise((resolve) => socket.write(byte, resolve));
    expect(statusOf(await callOver(socket))).toBe(200);
    expect((await last())?.call.connection.address).toBe('203.0.113.7');
  });

  it.each([false, true])(
    'the PSU listener knows the browser by it, too; over plain HTTP: %s',
    async (psuHttp) => {
      await start({ psuHttp });
      const call = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      let answer: string;
      if (psuHttp) {
        const socket = await openTcp(gateway, 'psu');
        const all = untilClosed(socket);
        socket.write(`${LINE}${call}`);
        answer = await all;
      } else answer = await callBehind(LINE, 'psu', call);
      expect(statusOf(answer)).toBe(404);
      expect((await last())?.call).toMatchObject({ listener: 'psu', connection: { address: '203.0.113.7' } });
    },
  );

  it.each([
    ['another machine', LINE],
    ['nobody that it names', 'PROXY UNKNOWN\r\n'],
  ])('a call of %s is not told where operators look', async (_name, header) => {
    await start();
    const answer = await callBehind(header);
    expect(answer).toMatch(/^sandgate-exchange: /im);
    expect(answer).not.toMatch(/sandgate-report|\/exchanges\//i);
  });

  it('connections are limited by client, not by load balancer', async () => {
    await start({ 'limits.connectionsPerAddress': 1 });
    const of = (n: number) => `PROXY TCP4 203.0.113.${n} 192.0.2.1 50123 8443\r\n`;
    const held = await openTcp(gateway);
    held.write(of(1));
    // Its handshake is not over before the header was read.
    const tls = connectTls({ socket: held, servername: 'localhost', ca: gateway.file('ca.pem') });
    await new Promise((resolve) => tls.once('secureConnect', resolve));
    expect(statusOf(await callBehind(of(2)))).toBe(200);
    const refused = await openTcp(gateway);
    refused.write(of(1));
    expect(await untilClosed(refused)).toBe('');
    expect(await fault()).toMatchObject({ kind: 'overload' });
    expect((await last())?.call.connection.address).toBe('203.0.113.1');
    tls.destroy();
  });

  it('a handshake that fails is recorded with the address of the client', async () => {
    await start();
    const socket = await openTcp(gateway);
    socket.write(`${LINE}this is no TLS, and long enough to tell`);
    await untilClosed(socket);
    expect(await fault()).toMatchObject({ kind: 'handshake' });
    expect((await last())?.call.connection.address).toBe('203.0.113.7');
  });

  it('a certificate in a header is believed by the address of the client, not that of the load balancer', async () => {
    await start({ clientCertHeader: 'rfc9440', clientCertFrom: '127.0.0.0/8' });
    const call = `${GET_CONSENT}\r\nClient-Cert: :bm9uZQ==:\r\nConnection: close\r\n\r\n`;
    expect(statusOf(await callBehind(LINE, 'api', call))).toBe(200);
  });
});

describe('without a header that can be read, from there', () => {
  it.each([
    ['TLS at once', async () => callOver(await openTcp(gateway)).catch(() => ''), 'begin with one'],
    ['another header', () => callBehind('PROXY UDP4 1 2 3 4\r\n'), 'protocol is none of'],
    ['half a header', async () => (await openTcp(gateway)).end('PROXY TCP4 203.'), 'ended within it'],
    ['a header too long', () => callBehind(Buffer.from(`${SIGNATURE}2111ffff`, 'hex')), 'longer than 4096'],
  ])('a connection is refused, and the record says why: %s', async (_name, attempt, text) => {
    await start();
    await attempt();
    expect(await fault()).toEqual({
      kind: 'refused',
      message: expect.stringMatching(new RegExp(`--proxy-protocol-from.*${text}`)),
    });
    expect((await last())?.call.connection.address).toBe('127.0.0.1');
  });

  it('it is not waited for without end', async () => {
    await start({ 'limits.handshake': '50ms' });
    const socket = await openTcp(gateway);
    socket.write('PROXY TCP4');
    expect(await untilClosed(socket)).toBe('');
    expect(await fault()).toMatchObject({ kind: 'timeout', message: expect.stringContaining('in time') });
  });

  it.each(['', LOCAL, 'PROXY UNKNOWN\r\n'])(
    'a look whether the gateway listens is no failure: %j',
    async (sent) => {
      await start();
      const socket = await openTcp(gateway);
      socket.end(sent);
      expect(await untilClosed(socket)).toBe('');
      expect(statusOf(await callBehind(LINE))).toBe(200);
      expect(await gateway.records()).toHaveLength(1);
    },
  );

  it('the gateway stops at once, however many have not said yet who they are', async () => {
    await start();
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openTcp(gateway)));
    const closed = sockets.map(untilClosed);
    sockets[0]?.write('PROXY');
    expect(statusOf(await callBehind(LINE))).toBe(200);
    const { recorder } = gateway.app;
    const take = vi.spyOn(recorder, 'take');
    await gateway.app.close();
    expect(await Promise.all(closed)).toEqual(['', '', '', '', '']);
    expect(take).not.toHaveBeenCalled();
    // It is closed already, and its store in memory is gone with it.
    gateway = { ...gateway, close: async () => {} };
  });
});

describe('from anybody else', () => {
  it('a header is no TLS', async () => {
    await start({ proxyProtocolFrom: '192.0.2.0/24' });
    await callBehind(LINE);
    expect(await fault()).toMatchObject({ kind: 'handshake' });
    expect(statusOf(await callOver(await openTcp(gateway)))).toBe(200);
    expect((await last())?.call.connection.address).toBe('127.0.0.1');
  });
});
