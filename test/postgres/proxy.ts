/** A network between a store and its server that does what networks do: it loses, delays, cuts and goes silent. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type Way = 'through' | 'silent' | 'lose-request' | 'lose-answer' | 'lose-answer-and-all' | 'hold-request';

export interface Proxy {
  readonly port: number;
  /** Of what is sent from now on; those that lose or hold one do so once, cut the client off, and are through again, or silent. */
  readonly set: (way: Way) => void;
  /** It is silent as soon as a client has sent something with this text in it. */
  readonly silenceAfter: (text: string) => void;
  /** Who connects from now on comes to this port, and whoever is connected is cut off. */
  readonly moveTo: (port: number) => void;
  /** Cuts off whoever is connected. */
  readonly cut: () => void;
  /** Sends what was held to the server, and gives how the server ended that connection's words. */
  readonly release: () => Promise<void>;
  /** How many have connected. */
  readonly connections: () => number;
  /** How many are connected. */
  readonly connected: () => number;
}

export async function startProxy(serverPort: number): Promise<Proxy> {
  let targetPort = serverPort;
  let way: Way = 'through';
  let last: string | null = null;
  let connections = 0;
  let held: (() => Promise<void>) | null = null;
  const open = new Set<Socket>();
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    clients.add(client);
    client.on('close', () => clients.delete(client));
    const target = connect(targetPort, '127.0.0.1');
    let losesAnswer = false;
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => held === null && target.destroy());
    target.on('close', () => client.destroy());
    client.on('data', (bytes) => {
      if (way === 'silent') return;
      if (way === 'lose-request') {
        way = 'through';
        client.destroy();
        return;
      }
      if (way === 'hold-request') {
        way = 'through';
        held = () =>
          new Promise((resolve) => {
            if (target.destroyed) return resolve();
            target.once('close', () => resolve());
            target.once('data', () => target.destroy());
            target.write(bytes);
          });
        client.destroy();
        return;
      }
      if (way === 'lose-answer' || way === 'lose-answer-and-all') {
        way = way === 'lose-answer' ? 'through' : 'silent';
        losesAnswer = true;
      }
      target.write(bytes);
      if (last !== null && bytes.includes(last)) {
        way = 'silent';
        last = null;
      }
    });
    target.on('data', (bytes) => {
      if (losesAnswer) client.destroy();
      else if (way === 'silent') return;
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as { port: number }).port,
    set: (next) => {
      way = next;
    },
    silenceAfter: (text) => {
      last = text;
    },
    moveTo: (port) => {
      targetPort = port;
      cut();
    },
    cut,
    release: async () => {
      await held?.();
      held = null;
    },
    connections: () => connections,
    connected: () => clients.size,
  };
}
