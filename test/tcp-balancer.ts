/** A TCP load balancer of the tests: hands connections on in turn or at random, cuts them, and goes silent. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpBalancerOptions {
  /** Ports of 127.0.0.1; may be others for later connections. One that takes no connection is passed over. */
  readonly targets: readonly number[] | (() => readonly number[]);
  /** Which of so many gets the next connection; in turn, where absent. */
  readonly choose?: (count: number) => number;
  /** What goes before the bytes of a client, such as a PROXY protocol header. */
  readonly header?: (client: Socket) => string | Uint8Array;
}

export interface TcpBalancer {
  readonly port: number;
  /** Resets all connections, or those to one target; new ones are taken as before. How many there were. */
  readonly cut: (target?: number) => number;
  /** From now on no byte passes, and nobody is told; new connections are taken, and hear nothing. */
  readonly goSilent: () => void;
  /** What waited goes on, in order. */
  readonly goOn: () => void;
  readonly close: () => Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly target: number;
}

export async function openTcpBalancer(options: TcpBalancerOptions): Promise<TcpBalancer> {
  const { header } = options;
  const targets = () => (typeof options.targets === 'function' ? options.targets() : options.targets);
  let turn = 0;
  const choose = options.choose ?? ((count: number) => turn++ % count);
  const pairs = new Set<Pair>();
  const unserved = new Set<Socket>();
  let isSilent = false;

  const join = (client: Socket, server: Socket, target: number): void => {
    const pair = { client, server, target };
    pairs.add(pair);
    if (header !== undefined) server.write(header(client));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!isSilent) from.resume();
      });
      from.on('end', () => to.end());
      from.on('close', () => {
        pairs.delete(pair);
        // What was reset at one end is at the other.
        if (from.errored) to.resetAndDestroy();
        else to.destroySoon();
      });
      // A client is taken as paused.
      if (isSilent) from.pause();
      else from.resume();
    }
  };

  /** Tries one target after the other, from the chosen one on. */
  const serve = (client: Socket, ports: readonly number[], first: number, tried = 0): void => {
    const target = ports[(first + tried) % ports.length];
    if (target === undefined || tried === ports.length) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: '127.0.0.1', port: target, noDelay: true, allowHalfOpen: true });
    const refused = () => serve(client, ports, first, tried + 1);
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused).on('error', () => {});
      unserved.delete(client);
      if (client.destroyed) server.destroy();
      else join(client, server, target);
    });
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    unserved.add(client);
    client.on('error', () => {}).on('close', () => unserved.delete(client));
    const ports = targets();
    serve(client, ports, ports.length === 0 ? 0 : choose(ports.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = (target?: number): number => {
    const chosen = [...pairs].filter((pair) => target === undefined || pair.target === target);
    for (const pair of chosen) {
      pair.client.resetAndDestroy();
      pair.server.resetAndDestroy();
    }
    return chosen.length;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    goSilent: () => {
      isSilent = true;
      for (const pair of pairs) {
        pair.client.pause();
        pair.server.pause();
      }
    },
    goOn: () => {
      isSilent = false;
      for (const pair of pairs) {
        pair.client.resume();
        pair.server.resume();
      }
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      for (const client of unserved) client.destroy();
      await closed;
    },
  };
}
