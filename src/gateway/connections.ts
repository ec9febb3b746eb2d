/** The open connections of a listener: how many of each address, and which are busy with a call. */
import type { Server, Socket } from 'node:net';
import { plainAddress } from './peers.js';

export interface ConnectionLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

export interface OpenConnection {
  readonly socket: Socket;
  /** Under way. */
  calls: number;
}

export interface Connections {
  /** A call begins on a connection; who ends it takes it off again. */
  readonly begin: (socket: Socket) => OpenConnection;
  readonly isBusy: (socket: Socket) => boolean;
  /** Whether a connection was cut because there are too many. */
  readonly wasRefused: (socket: Socket) => boolean;
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

/** `onRefused` is told the address of a connection that is one too many. */
export function trackConnections(
  server: Server,
  limits: ConnectionLimits,
  onRefused: (address: string) => void,
): Connections {
  // Keyed by the other end, which a TLS socket and the TCP socket below it have in common.
  const open = new Map<string, OpenConnection>();
  const ofAddress = new Map<string, number>();
  const refused = new Set<string>();

  server.maxConnections = limits.connections;
  server.on('drop', (data) => onRefused(plainAddress(data?.remoteAddress)));
  server.on('connection', (socket: Socket) => {
    const end = endOf(socket);
    const address = plainAddress(socket.remoteAddress);
    const count = (ofAddress.get(address) ?? 0) + 1;
    ofAddress.set(address, count);
    open.set(end, { socket, calls: 0 });
    socket.once('close', () => {
      open.delete(end);
      // The TLS socket above it may still report its failure in this turn.
      setImmediate(() => refused.delete(end));
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left === 0) ofAddress.delete(address);
      else ofAddress.set(address, left);
    });
    if (count > limits.connectionsPerAddress) {
      refused.add(end);
      onRefused(address);
      socket.destroy();
    }
  });

  const known = new WeakMap<Socket, OpenConnection>();
  const connectionOf = (socket: Socket): OpenConnection => {
    let connection = known.get(socket);
    if (connection === undefined) {
      connection = open.get(endOf(socket)) ?? { socket, calls: 0 };
      known.set(socket, connection);
    }
    return connection;
  };
  const cut = (which: (calls: number) => boolean) => {
    for (const { socket, calls } of open.values()) if (which(calls)) socket.destroy();
  };

  return {
    begin: (socket) => {
      const connection = connectionOf(socket);
      connection.calls += 1;
      return connection;
    },
    isBusy: (socket) => connectionOf(socket).calls > 0,
    wasRefused: (socket) => refused.has(endOf(socket)),
    closeIdle: () => cut((calls) => calls === 0),
    closeAll: () => cut(() => true),
  };
}

const endOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`;
