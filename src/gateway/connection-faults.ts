/** Connections that an operator's fault meets: another server certificate is shown, or an alert ends the handshake. */
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls';
import type { Injection } from '../exchange/index.js';
import type { ConnectionFault, OtherServer } from '../weather/index.js';

interface Pair {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface ConnectionFaults {
  /** The fault that a new connection meets; null at once where none is set. */
  readonly connect: () => ConnectionFault | null | Promise<ConnectionFault | null>;
  readonly certificate: (other: OtherServer) => Promise<Pair>;
}

interface MeetingParts extends ConnectionFaults {
  readonly server: HttpsServer;
  /** Options of the server, apart from its certificate. */
  readonly options: TlsOptions;
  /** In ms. */
  readonly handshake: number;
  readonly hasCalled: (socket: Socket) => boolean;
  readonly onFailed: (socket: Socket, injected: Injection, message: string) => void;
  readonly onError: (error: unknown) => void;
}

const ignore = (): void => {};

/**
 * From now on the server sees each connection as its fault wants it. Another certificate is shown by a TLS server of its own:
 * it cannot resume sessions of the ordinary one, so each client shakes hands anew, and clients that send no server name are met
 * too.
 */
export function meetConnectionFaults(parts: MeetingParts): void {
  const { server, onFailed } = parts;
  const ordinary = server.listeners('connection');
  const others = new Map<OtherServer, Promise<TlsServer>>();
  const injections = new WeakMap<Socket, Injection>();

  const otherServer = (other: OtherServer): Promise<TlsServer> => {
    const known = others.get(other);
    if (known !== undefined) return known;
    const opened = parts.certificate(other).then((pair) => openOther(other, pair));
    others.set(other, opened);
    opened.catch(() => others.delete(other));
    return opened;
  };

  function openOther(other: OtherServer, pair: Pair): TlsServer {
    const made = createTlsServer({ ...parts.options, ...pair });
    const failed = (socket: Socket): void => {
      const injected = injections.get(tcpOf(socket));
      if (injected === undefined) return;
      injections.delete(tcpOf(socket));
      const message = `The client ended the connection without a call: ${SHOWN[other]}, fault ${injected.fault}.`;
      onFailed(socket, injected, message);
    };
    made.on('tlsClientError', (_, socket) => {
      failed(socket);
      socket.destroy();
    });
    // Some clients look at the certificate only after the handshake.
    made.on('secureConnection', (socket) => {
      socket.once('close', () => {
        if (!parts.hasCalled(socket)) failed(socket);
      });
      server.emit('secureConnection', socket);
    });
    return made;
  }

  async function meet(socket: Socket, met: Promise<ConnectionFault | null>): Promise<void> {
    socket.on('error', ignore);
    const fault = await met;
    const other = fault === null || typeof fault.meets === 'object' ? null : await otherServer(fault.meets);
    if (socket.destroyed) return;
    if (fault === null) goOn(socket);
    else if (other !== null) {
      injections.set(socket, fault.injected);
      other.emit('connection', socket);
    } else if (typeof fault.meets === 'object') {
      const { injected, meets } = fault;
      alertAfterHello(socket, meets.alert, parts.handshake);
      onFailed(
        socket,
        injected,
        `The handshake was refused with TLS alert ${meets.alert}: fault ${injected.fault}.`,
      );
    }
  }

  const goOn = (socket: Socket): void => {
    for (const listening of ordinary) listening.call(server, socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const met = parts.connect();
    if (met === null) goOn(socket);
    else
      meet(socket, Promise.resolve(met)).catch((error) => {
        parts.onError(error);
        socket.destroy();
      });
  });
}

const SHOWN: Readonly<Record<OtherServer, string>> = {
  expired: 'it was shown a server certificate that has expired',
  'unknown-ca': 'it was shown a server certificate of an unknown CA',
  renewed: 'it was shown another server certificate',
};

/** The TCP socket below a TLS one. */
export const tcpOf = (socket: Socket & { readonly _parent?: Socket | null }): Socket =>
  socket._parent ?? socket;

/** A fatal alert (RFC 8446 6), which may stand in the place of the server's first message. */
function alertAfterHello(socket: Socket, alert: number, ms: number): void {
  socket.setTimeout(ms, () => socket.destroy());
  socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
}
