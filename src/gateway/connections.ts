/** The open connections of a listener: how many of each address, and which are busy with a call. */
import type { Server, Socket } from 'node:net';
import { otherEnd, plainAddress } from './peers.js';

export interface ConnectionLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

export interface OpenConnection {
  readonly socket: Socket;
  /** Of the client. */
  readonly address: string;
  /** Under way. */
  calls: number;
}

export interface Connections {
  /** A call begins on a connection; who ends it takes it off again. */
  readonly begin: (socket: Socket) => OpenConnection;
  /** Of the client at its other end. */
  readonly addressOf: (socket: Socket) => string;
  readonly isBusy: (socket: Socket) => boolean;
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

/** Calls on as soon as it is known whose a new connection is; where that never is, it has closed the connection. */
export type Identify = (socket: Socket, isOf: (address: string) => void) => void;

/**
 * From now on the server itself gets to see those connections only that are not too many.
 * `onRefused` is told the address of one that is.
 */
export function trackConnections(
  server: Server,
  limits: ConnectionLimits,
  identify: Identify,
  onRefused: (address: string) => void,
): Connections {
  // Keyed by the other end, which a TLS socket and the TCP socket below it have in common.
  const open = new Map<string, OpenConnection>();
  const ofAddress = new Map<string, number>();
  const behind = server.listeners('connection') as ((socket: Socket) => void)[];

  const admit = (socket: Socket, address: string): void => {
    const count = (ofAddress.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      onRefused(address);
      socket.destroy();
      return;
    }
    const end = endOf(socket);
    ofAddress.set(address, count);
    open.set(end, { socket, address, calls: 0 });
    socket.once('close', () => {
      open.delete(end);
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left === 0) ofAddress.delete(address);
      else ofAddress.set(address, left);
    });
    for (const listening of behind) listening.call(server, socket);
  };
  server.maxConnections = limits.connections;
  server.on('drop', (data) => onRefused(plainAddress(data?.remoteAddress)));
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => identify(socket, (address) => admit(socket, address)));

  const known = new WeakMap<Socket, OpenConnection>();
  const connectionOf = (socket: Socket): OpenConnection => {
    let connection = known.get(socket);
    if (connection === undefined) {
      connection = open.get(endOf(socket)) ?? { socket, address: otherEnd(socket), calls: 0 };
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
    addressOf: (socket) => connectionOf(socket).address,
    isBusy: (socket) => connectionOf(socket).calls > 0,
    closeIdle: () => cut((calls) => calls === 0),
    closeAll: () => cut(() => true),
  };
}

const endOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`;
