/** Which connections give way when a listener has too many. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connections, type Identify, trackConnections } from '../../src/gateway/connections.js';

interface Tracked {
  readonly server: Server;
  readonly connections: Connections;
  /** Opens a connection of a client at an address; resolves with the client's end and the server's. */
  readonly open: (address: string) => Promise<{ client: Socket; own: Socket | null }>;
  readonly cut: readonly string[];
}

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function track(
  limits: { connections?: number; connectionsPerAddress?: number; strangers?: number },
  identify?: Identify,
): Promise<Tracked> {
  const { connections = 20, connectionsPerAddress = 1_000, strangers = 10 } = limits;
  const server = createServer();
  servers.push(server);
  const seen: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    seen.push(socket);
  });
  const cut: string[] = [];
  const addresses: string[] = [];
  const tracked = trackConnections({
    server,
    limits: { connections, connectionsPerAddress },
    mostStrangers: strangers,
    isTrusted: (address) => address === 'balancer',
    identify: identify ?? ((_, isOf) => isOf(addresses.shift() ?? 'nobody')),
    onCut: (address) => cut.push(address),
  });
  let arrived = 0;
  server.on('connection', () => {
    arrived += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    connections: tracked,
    cut,
    open: async (address) => {
      const before = arrived;
      addresses.push(address);
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('error', () => {});
      clients.push(client);
      await expect.poll(() => arrived, { interval: 1 }).toBe(before + 1);
      const own = seen.find((one) => one.remotePort === client.localPort) ?? null;
      return { client, own };
    },
  };
}

const isOpen = (socket: Socket | null): boolean => socket !== null && !socket.destroyed;

describe('where too many connections are open', () => {
  it('strangers displace the oldest stranger, and never a client that has shown who it is', async () => {
    const { open, connections, cut } = await track({});
    const known = await open('known');
    connections.recognise(known.own as Socket, true);
    const all: (Socket | null)[] = [];
    for (let n = 0; n < 50; n++) all.push((await open(`10.0.0.${n}`)).own);
    expect(isOpen(known.own)).toBe(true);
    expect(all.map(isOpen)).toEqual(Array.from({ length: 50 }, (_, n) => n >= 40));
    expect(cut).toEqual(Array.from({ length: 40 }, (_, n) => `10.0.0.${n}`));
  });

  it('a new connection from the address of a known client is displaced by no stranger', async () => {
    const { open, connections } = await track({});
    const before = await open('known');
    connections.recognise(before.own as Socket, true);
    before.client.destroy();
    const again = await open('known');
    for (let n = 0; n < 50; n++) await open(`10.0.0.${n}`);
    expect(isOpen(again.own)).toBe(true);
  });

  it('a connection that shows no certificate is a stranger, though its address is that of a known client', async () => {
    const { open, connections } = await track({});
    const known = await open('known');
    connections.recognise(known.own as Socket, true);
    const beside = await open('known');
    connections.recognise(beside.own as Socket, false);
    const balanced = await open('balancer');
    connections.recognise(balanced.own as Socket, false);
    for (let n = 0; n < 50; n++) await open(`10.0.0.${n}`);
    expect([known, beside, balanced].map(({ own }) => isOpen(own))).toEqual([true, false, true]);
  });

  it('what a trusted load balancer opens is displaced by no stranger', async () => {
    const { open } = await track({});
    const { own } = await open('balancer');
    for (let n = 0; n < 50; n++) await open(`10.0.0.${n}`);
    expect(isOpen(own)).toBe(true);
  });

  it('a stranger that has called lately outlives a silent one', async () => {
    const { open, connections } = await track({ strangers: 2 });
    const calling = await open('a');
    const silent = await open('b');
    connections.begin(calling.own as Socket);
    await open('c');
    expect([isOpen(calling.own), isOpen(silent.own)]).toEqual([true, false]);
  });

  it('strangers who have called keep half of the places, however many silent ones come', async () => {
    const { open, connections } = await track({});
    const callers: (Socket | null)[] = [];
    for (let n = 0; n < 8; n++) {
      const { own } = await open('caller');
      connections.begin(own as Socket);
      callers.push(own);
    }
    const silent: (Socket | null)[] = [];
    for (let n = 0; n < 50; n++) silent.push((await open(`10.0.0.${n}`)).own);
    expect(callers.map(isOpen)).toEqual([...Array(3).fill(false), ...Array(5).fill(true)]);
    expect(silent.filter(isOpen)).toEqual(silent.slice(-5));
  });

  it('and all of them are of known clients, a new one is refused', async () => {
    const { open, connections, cut } = await track({ connections: 3 });
    const known = [await open('a'), await open('b'), await open('c')];
    for (const { own } of known) connections.recognise(own as Socket, true);
    expect([(await open('d')).own, (await open('a')).own]).toEqual([null, null]);
    expect(known.every(({ own }) => isOpen(own))).toBe(true);
    expect(cut).toEqual(['d', 'a']);
  });

  it('a connection counts before it is known who opened it', async () => {
    const waiting: Socket[] = [];
    const { open, cut } = await track({ strangers: 3 }, (socket) => waiting.push(socket));
    for (let n = 0; n < 10; n++) await open('nobody');
    expect(waiting.map(isOpen)).toEqual(Array.from({ length: 10 }, (_, n) => n >= 7));
    expect(cut).toHaveLength(7);
  });
});

it('a network of 64 bits counts as one address, and its places become free again', async () => {
  const { open, cut } = await track({ connectionsPerAddress: 2 });
  const first = await open('2001:db8:0:1::1');
  await open('2001:db8:0:1:ffff::2');
  await open('2001:db8:0:2::1');
  expect(isOpen((await open('2001:db8::1:0:0:0:3')).own)).toBe(false);
  expect(cut).toEqual(['2001:db8::1:0:0:0:3']);
  first.client.destroy();
  await once(first.own as Socket, 'close');
  expect(isOpen((await open('2001:db8:0:1::4')).own)).toBe(true);
});
