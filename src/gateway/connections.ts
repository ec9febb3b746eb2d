/** The open connections of a listener, and which of them give way when there are too many. */

import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import { createRecentCache } from '../exchange/index.js';
import { addressBlock } from './address-block.js';
import { otherEnd } from './peers.js';

export interface ConnectionLimits {
  readonly connections: number;
  /** An IPv6 network of 64 bits counts as one address. */
  readonly connectionsPerAddress: number;
}

interface OpenConnection {
  readonly socket: Socket;
  /** Address of the client, once it is identified. */
  address: string;
  /** The limit by address counts it under this; null until the client is identified. */
  block: string | null;
  calls: number;
  hasCalled: boolean;
  /** It was closed because there were too many. */
  wasCut: boolean;
}

/** Calls on as soon as it is known whose a new connection is; where that never is, it has closed the connection. */
export type Identify = (socket: Socket, isOf: (address: string) => void) => void;

interface TrackingParts {
  readonly server: Server;
  readonly limits: ConnectionLimits;
  readonly mostStrangers: number;
  /**
   * While no more are open from the address of a client that has shown who it is, new ones from there are no strangers.
   * Absent: all that an address may hold.
   */
  readonly mostFamiliar?: number;
  /** Whether whoever connects from an address is no stranger. */
  readonly isTrusted?: ((address: string) => boolean) | undefined;
  readonly identify: Identify;
  readonly onCut: (address: string) => void;
}

/** At least this many addresses of recognised clients are remembered. */
const FAMILIAR = 10_000;

/**
 * From now on the server sees only connections that are within the limits. If there are too many, a stranger is cut: the
 * oldest of those that have not called yet, or of those that have the one that called the longest ago, of whichever are more.
 * So a flood displaces itself, a new client has time to show who it is, and idle ones end no call.
 */
export function trackConnections(parts: TrackingParts) {
  const { server, limits, mostStrangers, isTrusted, identify, onCut } = parts;
  const { mostFamiliar = limits.connectionsPerAddress } = parts;
  const open = new Set<OpenConnection>();
  const ofSocket = new WeakMap<Socket, OpenConnection>();
  // Strangers that have not called, and those that have: of each the one to be cut first stands first.
  const silent = new Set<OpenConnection>();
  const callers = new Set<OpenConnection>();
  const ofBlock = new Map<string, number>();
  const familiar = createRecentCache<string, true>(FAMILIAR);
  const behind = server.listeners('connection') as ((socket: Socket) => void)[];

  const noStranger = (connection: OpenConnection): boolean =>
    silent.delete(connection) || callers.delete(connection);
  const forget = (connection: OpenConnection): void => {
    const { block } = connection;
    if (!open.delete(connection)) return;
    noStranger(connection);
    if (block === null) return;
    const left = (ofBlock.get(block) ?? 1) - 1;
    if (left === 0) ofBlock.delete(block);
    else ofBlock.set(block, left);
  };
  const cut = (connection: OpenConnection): void => {
    forget(connection);
    connection.wasCut = true;
    onCut(connection.address);
    connection.socket.destroy();
  };
  const makeRoom = (newest: OpenConnection): void => {
    if (open.size <= limits.connections && silent.size + callers.size <= mostStrangers) return;
    const [oldest = newest] = silent.size > callers.size ? silent : callers;
    cut(oldest);
  };
  const admit = (connection: OpenConnection, address: string): void => {
    const block = addressBlock(address);
    const count = (ofBlock.get(block) ?? 0) + 1;
    connection.address = address;
    if (count > limits.connectionsPerAddress) {
      cut(connection);
      return;
    }
    connection.block = block;
    ofBlock.set(block, count);
    const isFamiliar = count <= mostFamiliar && familiar.get(block) === true;
    if (isFamiliar || isTrusted?.(address) === true) noStranger(connection);
    makeRoom(connection);
  };
  const take = (socket: Socket): void => {
    const connection = openConnection(socket);
    ofSocket.set(socket, connection);
    open.add(connection);
    silent.add(connection);
    socket.once('close', () => forget(connection));
    identify(socket, (address) => {
      admit(connection, address);
      if (!connection.wasCut) for (const listening of behind) listening.call(server, socket);
    });
    // Not identified yet, it takes a place all the same.
    if (connection.block === null) makeRoom(connection);
  };
  server.removeAllListeners('connection');
  server.on('connection', take);

  const connectionOf = (socket: Socket): OpenConnection => {
    let connection = ofSocket.get(socket);
    if (connection === undefined) {
      const below = (socket as OverTcp)._parent;
      connection = (below && ofSocket.get(below)) ?? openConnection(socket);
      ofSocket.set(socket, connection);
    }
    return connection;
  };
  const destroy = (which: (calls: number) => boolean) => {
    for (const { socket, calls } of open) if (which(calls)) socket.destroy();
  };

  return {
    /** A call begins on a connection; who ends it takes it off again. */
    begin: (socket: Socket): OpenConnection => {
      const connection = connectionOf(socket);
      connection.calls += 1;
      connection.hasCalled = true;
      if (noStranger(connection)) callers.add(connection);
      return connection;
    },
    /**
     * The handshake is over. If the client has shown who it is, strangers displace neither this connection nor new ones from
     * its address. Otherwise it is a stranger, whatever its address was known for.
     */
    recognise: (socket: Socket, isKnown: boolean): void => {
      const connection = connectionOf(socket);
      const { address, block } = connection;
      if (isKnown) {
        noStranger(connection);
        if (block !== null) familiar.set(block, true);
      } else if (open.has(connection) && isTrusted?.(address) !== true) {
        if (!callers.has(connection)) silent.add(connection);
        makeRoom(connection);
      }
    },
    addressOf: (socket: Socket): string => connectionOf(socket).address,
    hasCalled: (socket: Socket): boolean => connectionOf(socket).hasCalled,
    isBusy: (socket: Socket): boolean => connectionOf(socket).calls > 0,
    /** Whether the gateway closed it because there were too many. */
    wasCut: (socket: Socket): boolean => connectionOf(socket).wasCut,
    closeIdle: () => destroy((calls) => calls === 0),
    closeAll: () => destroy(() => true),
  };
}

export type Connections = ReturnType<typeof trackConnections>;

/** A TLS socket: the TCP socket below it is known before the handshake, and tells its address after its end. */
type OverTcp = Socket & { readonly _parent?: Socket | null };

const openConnection = (socket: Socket): OpenConnection => ({
  socket,
  address: otherEnd(socket),
  block: null,
  calls: 0,
  hasCalled: false,
  wasCut: false,
});

/** In ms; `unread` counts while an answer waits for its client to read. `isBusy`: whether a call is under way on a connection. */
export function closeSilent(
  server: HttpServer,
  { idle, unread }: { readonly idle: number; readonly unread: number },
  isBusy: (socket: Socket) => boolean,
): void {
  const step = Math.min(idle, unread);
  const waiting = new WeakMap<Socket, { readonly moved: number; readonly time: number }>();
  server.timeout = step;
  // Node tells this after a time in which nothing was read or written.
  server.on('timeout', (socket) => {
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = waiting.get(socket);
    const time = step + (before !== undefined && before.moved === moved ? before.time : 0);
    const hasAnswer = socket.writableLength > 0;
    if (hasAnswer || !isBusy(socket) || time >= idle) {
      socket.destroy();
      return;
    }
    // The bank takes its time, or the client does with the rest of its request.
    waiting.set(socket, { moved, time });
    socket.setTimeout(step);
  });
}
