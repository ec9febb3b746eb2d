/** Answers and records connections that never bring a request. */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Fault, OwnListener } from '../exchange/index.js';
import type { Peer } from './arrivals.js';
import type { Connections } from './connections.js';
import { bareAnswer, endWith, isEnding } from './end-connection.js';
import type { FailedConnections } from './failed-connections.js';
import { describeHandshakeFailure, describeParseFailure } from './failure-causes.js';
import { CLIENT_GONE_FAULT, SLOW_REQUEST_FAULT, unparseableFault } from './faults.js';
import type { RequestHandler } from './requests.js';

export interface FailureParts {
  readonly server: HttpServer | HttpsServer;
  readonly listener: OwnListener;
  readonly connections: Connections;
  readonly failures: FailedConnections;
  readonly requests: RequestHandler;
  readonly peerOf: (socket: Socket) => Peer;
  readonly isClosing: () => boolean;
}

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The other end closed, be it in the middle of a request. */
const GONE = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

export function listenForFailures(parts: FailureParts): void {
  const { server, listener, connections, failures, requests } = parts;

  // Node's own listener would tell of each as a 'clientError' once more.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    // The gateway itself ended the connection: that is no failure of the client.
    if (parts.isClosing() || connections.wasCut(socket)) return;
    const timeout = error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT';
    const fault: Fault = {
      kind: timeout ? 'timeout' : 'handshake',
      message: describeHandshakeFailure(error),
    };
    const connection = { address: connections.addressOf(socket), tls: 'not-observed' } as const;
    failures.take({ listener, peer: { connection, certificate: 'not-observed' }, fault, status: null });
    socket.destroy();
  });

  server.on('clientError', (error: NodeJS.ErrnoException, stream: Duplex) => {
    const socket = stream as Socket;
    if (isEnding(socket)) return;
    const timeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const problem = describeParseFailure(error);
    // A fault in the middle of a body belongs to a call: it ends that call, which is answered and recorded as such.
    const isReset = GONE.has(error.code ?? '');
    const ofBody = isReset ? CLIENT_GONE_FAULT : timeout ? SLOW_REQUEST_FAULT : unparseableFault(problem);
    if (requests.stopReading(socket, ofBody)) return;
    const busy = connections.isBusy(socket);
    const status = STATUS_OF_CODE[error.code ?? ''] ?? 400;
    const answered = !isReset && !busy && socket.writable ? status : null;
    if (!isReset) {
      const fault: Fault = {
        kind: timeout ? 'timeout' : 'unparseable',
        message: `This is not a complete HTTP request: ${problem}.`,
      };
      failures.take({ listener, peer: parts.peerOf(socket), fault, status: answered });
    }
    if (answered === null) socket.destroy();
    else endWith(socket, bareAnswer(answered, problem));
  });

  server.on('connect', (_request: IncomingMessage, stream: Duplex) => {
    const socket = stream as Socket;
    const fault: Fault = { kind: 'refused', message: 'CONNECT is not offered: this is not a forward proxy.' };
    failures.take({ listener, peer: parts.peerOf(socket), fault, status: 405 });
    endWith(socket, bareAnswer(405, 'CONNECT is not offered'));
  });
}
