/** The admin listener: plain HTTP for the operator, separate from the traffic. */
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { trackConnections } from '../gateway/index.js';
import { loadOnce } from './load-once.js';
import type { AnsweredParts } from './server.js';

export interface AdminParts extends Omit<AnsweredParts, 'onOperator'> {
  readonly port: number;
  /** Most open connections; beyond them a stranger's gives way, of these the one whose last request is the longest ago. */
  readonly connections: number;
  readonly onListenError: (cause: NodeJS.ErrnoException) => Error;
  /** The modules could not be loaded, for example because the program was replaced while it runs. */
  readonly onLoadError: (cause: unknown) => void;
}

export interface Admin {
  readonly address: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const UNLOADED = JSON.stringify({
  error:
    'Files of the program could not be loaded. If it was replaced while it runs, start the gateway again.',
});
const LIMITS = { requestTimeout: 30_000, keepAliveTimeout: 5_000 } as const;

/** Listens, and loads what answers by the first request: a gateway that nobody looks at starts without it. */
export async function openAdmin(parts: AdminParts): Promise<Admin> {
  const app = loadOnce(async () => {
    const { buildAdmin } = await import('./server.js');
    const built = buildAdmin({ ...parts, onOperator }, server);
    await built.ready();
    // Not the whole: it has a `then` of its own.
    return { routing: built.routing, close: () => built.close() };
  });
  const server = createServer(LIMITS, (request, response) => {
    // Limits of requests do not end a connection that changes its protocol.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    app.get().then(
      ({ routing }) => routing(request, response),
      (error) => {
        parts.onLoadError(error);
        response.writeHead(503, { 'Content-Type': 'application/json', Connection: 'close' }).end(UNLOADED);
      },
    );
  });
  const { connections: most } = parts;
  const connections = trackConnections({
    server,
    // Nobody is kept out because of an address: a proxy gives all operators its own.
    limits: { connections: most, connectionsPerAddress: Number.POSITIVE_INFINITY },
    mostStrangers: most,
    // A flood may come from the machine of an operator.
    mostFamiliar: Math.ceil(most / 4),
    identify: (socket, isOf) => isOf(socket.remoteAddress ?? ''),
    onCut: () => {},
  });
  const operators = new Set<Socket>();
  /** The others stay strangers: there is always room for a new operator. */
  const onOperator = (socket: Socket): void => {
    if (operators.has(socket) || operators.size >= most / 2) return;
    operators.add(socket);
    socket.once('close', () => operators.delete(socket));
    connections.recognise(socket, true);
  };
  server.on('request', ({ socket }, response) => {
    const connection = connections.begin(socket);
    response.once('close', () => {
      connection.calls -= 1;
    });
  });
  await listen(server, parts);
  const { address, port } = server.address() as AddressInfo;
  const other = parts.host === 'localhost' ? listenBeside(server, address, port) : null;
  return {
    address,
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      other?.close();
      await (await app.peek())?.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: HttpServer, { host, port, onListenError }: AdminParts): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening').catch((cause: Error) => {
    throw onListenError(cause);
  });
}

/** `localhost` is two addresses, and not every client tries both; a machine may lack the other one. */
function listenBeside(server: HttpServer, address: string, port: number): NetServer {
  const other = createNetServer((socket) => server.emit('connection', socket));
  other.on('error', () => {});
  return other.listen({ host: address === '::1' ? '127.0.0.1' : '::1', port });
}
