/** The load balancer of the tests does what those who test with it rely on. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openTcpBalancer, type TcpBalancer, type TcpBalancerOptions } from './tcp-balancer.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Says its name, then everything that it hears. */
async function openEcho(
  name: string,
): Promise<{ port: number; heard: Socket[]; close: () => Promise<void> }> {
  const heard: Socket[] = [];
  const server = createServer((socket) => {
    heard.push(socket);
    socket.on('error', () => {}).write(`${name}:`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of heard) socket.destroy();
    });
  closing.push(close);
  return { port: (server.address() as AddressInfo).port, heard, close };
}

async function open(options: TcpBalancerOptions): Promise<TcpBalancer> {
  const balancer = await openTcpBalancer(options);
  closing.push(balancer.close);
  return balancer;
}

function client(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      text += bytes.toString();
    });
  const hears = (wanted: string) => expect.poll(() => text).toBe(wanted);
  return { socket, ended, hears };
}

describe('the load balancer of the tests', () => {
  it('hands connections on in turn, with what goes before them, and passes over who is not there', async () => {
    const [a, b, gone] = [await openEcho('a'), await openEcho('b'), await openEcho('c')];
    await gone.close();
    const { port } = await open({ targets: [a.port, gone.port, b.port], header: () => 'from ' });
    for (const name of ['a', 'b', 'b', 'a']) {
      const { socket, ended } = client(port);
      socket.end('me');
      expect(await ended).toBe(`${name}:from me`);
    }
  });

  it('hands them on as it is told', async () => {
    const [a, b] = [await openEcho('a'), await openEcho('b')];
    const { port } = await open({ targets: () => [a.port, b.port], choose: (count) => count - 1 });
    for (let i = 0; i < 3; i++) {
      const { socket, ended } = client(port);
      socket.end();
      expect(await ended).toBe('b:');
    }
  });

  it('resets connections to one target, and lets the others live', async () => {
    const [a, b] = [await openEcho('a'), await openEcho('b')];
    const { port, cut } = await open({ targets: [a.port, b.port] });
    const [first, second] = [client(port), client(port)];
    await Promise.all([first.hears('a:'), second.hears('b:')]);
    expect(cut(a.port)).toBe(1);
    expect(await first.ended).toBe('a:');
    second.socket.write('x');
    await second.hears('b:x');
    expect(cut()).toBe(1);
    await second.ended;
  });

  it('goes silent for those who are connected and those who come, and goes on where it was', async () => {
    const a = await openEcho('a');
    const { port, goSilent, goOn } = await open({ targets: [a.port] });
    const before = client(port);
    await before.hears('a:');
    goSilent();
    const later = client(port);
    before.socket.write('1');
    later.socket.write('2');
    await expect.poll(() => a.heard.length).toBe(2);
    expect(a.heard.map((socket) => socket.bytesRead)).toEqual([0, 0]);
    goOn();
    await before.hears('a:1');
    await later.hears('a:2');
  });

  it('resets who comes where nobody is there', async () => {
    const { port } = await open({ targets: [] });
    expect(await client(port).ended).toBe('');
  });
});
