/** A flood of connections from many addresses: who has shown a certificate stays, and who brings one gets in. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contextOf, eventually, startTestGateway, type TestGateway } from './harness.js';
import { GET_CONSENT, portOf, type Side, statusOf, untilClosed, untilHolds } from './raw.js';

const CALL = `${GET_CONSENT}\r\n\r\n`;
const LAST_CALL = `${GET_CONSENT}\r\nConnection: close\r\n\r\n`;
/** The first bytes of a handshake. */
const HALF_A_HELLO = Buffer.from('16030101fc0100', 'hex');

let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
});

/** A connection of a client whose address a load balancer tells. */
function openFrom(address: string, side: Side = 'api'): Socket {
  const socket = connectTcp({ host: '127.0.0.1', port: portOf(gateway, side) });
  socket.on('error', () => {});
  const [family, own] = address.includes(':') ? ['TCP6', '::1'] : ['TCP4', '192.0.2.1'];
  socket.write(`PROXY ${family} ${address} ${own} 50123 8443\r\n`);
  sockets.push(socket);
  return socket;
}

function openTlsFrom(address: string, cert: string | null = 'tpp', side: Side = 'api'): Socket {
  const socket = connectTls({
    socket: openFrom(address, side),
    servername: 'localhost',
    secureContext: contextOf(gateway.certs, cert),
  });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

function callFrom(address: string, call: string, cert?: string | null, side?: Side): Promise<string> {
  const socket = openTlsFrom(address, cert, side);
  socket.write(call);
  return untilClosed(socket);
}

async function answered(socket: Socket): Promise<string> {
  const answer = untilHolds(socket, '"valid"');
  socket.write(CALL);
  return answer;
}

const start = async (settings: Record<string, unknown> = {}) => {
  gateway = await startTestGateway({ proxyProtocolFrom: '127.0.0.1', 'limits.connections': 20, ...settings });
};

let floods = 0;
beforeEach(() => {
  floods = 0;
});
/** Connections from addresses of their own, in each state that costs no certificate. */
async function flood(count: number, side?: Side): Promise<Socket[]> {
  const all: Socket[] = [];
  for (let n = 0; n < count; n++) {
    floods += 1;
    const address = `10.${floods >> 8}.${floods & 255}.1`;
    const way = n % 3;
    const socket = way === 0 ? openTlsFrom(address, null, side) : openFrom(address, side);
    if (way === 1) socket.write(HALF_A_HELLO);
    all.push(socket);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

describe('a flood of connections from many addresses', () => {
  it('ends no connection of a client that has shown its certificate', async () => {
    await start();
    const known = openTlsFrom('203.0.113.1');
    expect(statusOf(await answered(known))).toBe(200);
    await flood(100);
    expect(statusOf(await answered(known))).toBe(200);
  });

  it('keeps no client out that brings a certificate, known before or not', async () => {
    await start();
    for (let n = 1; n <= 5; n++) {
      await flood(30);
      for (const address of [`203.0.113.${n}`, '203.0.113.1']) {
        expect(statusOf(await callFrom(address, LAST_CALL))).toBe(200);
      }
    }
  });

  it('keeps no browser out of the PSU listener', async () => {
    await start();
    await flood(60, 'psu');
    const page = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(statusOf(await callFrom('203.0.113.1', page, null, 'psu'))).toBe(200);
  });

  it('is recorded as what it is: connections that were too many, not handshakes that failed', async () => {
    await start();
    await flood(40);
    const records = await eventually(async () => {
      const all = await gateway.records();
      expect(all).toHaveLength(30);
      return all;
    });
    expect(new Set(records.map(({ exchange }) => exchange.fault?.kind))).toEqual(new Set(['overload']));
    expect(records[0]?.exchange.call.connection.address).toBe('10.0.1.1');
  });

  it('from one IPv6 network counts as one address', async () => {
    await start({ 'limits.connectionsPerAddress': 2 });
    const first = openTlsFrom('2001:db8::1');
    expect(statusOf(await answered(first))).toBe(200);
    expect(statusOf(await answered(openTlsFrom('2001:db8::2')))).toBe(200);
    const third = openTlsFrom('2001:db8::3');
    expect(await untilClosed(third)).toBe('');
    expect(statusOf(await answered(openTlsFrom('2001:db8:0:1::1')))).toBe(200);
  });
});
