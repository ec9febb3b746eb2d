/** Answers and records connections that never bring a request. */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { alertName, type Fault, type OwnListener } from '../exchange/index.js';
import type { Peer } from './arrivals.js';
import { tcpOf } from './connection-faults.js';
import type { Connections } from './connections.js';
import { bareAnswer, endWith, isEnding } from './end-connection.js';
import type { FailedConnections } from './failed-connections.js';
import { CLIENT_GONE_FAULT, SLOW_REQUEST_FAULT, unparseableFault } from './faults.js';
import type { RequestHandler } from './requests.js';

interface FailureParts {
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
      message: describeHandshakeFailure(error, listener),
    };
    const connection = { address: connections.addressOf(socket), tls: 'not-observed' } as const;
    const isPlain = IN_PLAIN_HTTP.has(error.code ?? '');
    const status = isPlain ? 400 : null;
    failures.take({ listener, peer: { connection, certificate: 'not-observed' }, fault, status });
    // Node closes the TLS connection in the next turn; what its TCP socket was given by then is sent.
    if (isPlain) tcpOf(socket).end(bareAnswer(400, NEEDS_HTTPS));
    else socket.destroy();
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

const IN_PLAIN_HTTP = new Set(['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_HTTPS_PROXY_REQUEST']);
const NEEDS_HTTPS = 'this port speaks TLS alone: begin the address with https';

const CAUSES: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST: 'plain HTTP was sent to a TLS port; the address must begin with https',
  ERR_SSL_HTTPS_PROXY_REQUEST: 'a proxy request in plain HTTP was sent to a TLS port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what arrived is not TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what arrived is not TLS',
  ERR_SSL_BAD_RECORD_TYPE: 'what arrived is not TLS',
  ERR_SSL_UNEXPECTED_MESSAGE: 'what arrived is not a TLS handshake',
  ERR_SSL_RECORD_LAYER_FAILURE: 'what arrived is not TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the client offers no TLS version of 1.2 or newer',
  ERR_SSL_VERSION_TOO_LOW: 'the client offers no TLS version of 1.2 or newer',
  ERR_SSL_INAPPROPRIATE_FALLBACK: 'the client fell back to an older TLS version',
  ERR_SSL_NO_SHARED_CIPHER: 'the client offers no cipher that the gateway accepts',
  ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM:
    'the client offers no signature algorithm that the gateway has a key for',
  ERR_SSL_NO_SHARED_SIGNATURE_ALGORITHMS: 'client and gateway have no signature algorithm in common',
  ERR_SSL_NO_SUITABLE_KEY_SHARE: 'client and gateway have no key exchange group in common',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'the client does not trust the CA of the gateway’s server certificate',
  ERR_SSL_TLSV1_ALERT_CERTIFICATE_UNKNOWN: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'for the client, the gateway’s server certificate has expired',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the client found nothing in common with the gateway',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the client wants another TLS version',
  ERR_SSL_BAD_SIGNATURE: 'the client could not prove that it holds the key of its certificate',
  ERR_SSL_WRONG_SIGNATURE_TYPE: 'the client signed with an algorithm that was not agreed on',
  ERR_SSL_DECODE_ERROR: 'a handshake message could not be read',
  ERR_SSL_BAD_EXTENSION: 'a handshake message could not be read',
  ERR_SSL_EXCESSIVE_MESSAGE_SIZE: 'a handshake message was too large',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of the client certificate is too small',
  ERR_SSL_CA_MD_TOO_WEAK: 'the client certificate is signed with a digest that is too weak',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'it was not finished in time',
  ECONNRESET: 'the client closed the connection',
  EPIPE: 'the client closed the connection',
};

/** A sentence; the code of an unknown cause is named. To the PSU listener come browsers, mostly. */
function describeHandshakeFailure(error: NodeJS.ErrnoException, listener: OwnListener): string {
  const code = alertName(error.code ?? 'unknown');
  const cause =
    (Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined) ?? `the cause is ${code.slice(0, 80)}`;
  const told = listener === 'psu' ? cause.replace('the client', 'the browser (or other client)') : cause;
  return `The TLS handshake failed: ${told}.`;
}

const PARSE_PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the header fields are too large',
  HPE_INVALID_METHOD: 'the method is not an HTTP method',
  HPE_INVALID_URL: 'the request target contains characters that are not allowed',
  HPE_INVALID_VERSION: 'the version is not an HTTP version',
  HPE_INVALID_CONSTANT: 'the request line is malformed',
  HPE_INVALID_HEADER_TOKEN: 'a header field is malformed',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is malformed, or stands beside Transfer-Encoding',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length is repeated',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding is malformed, or stands beside Content-Length',
  HPE_INVALID_CHUNK_SIZE: 'the size of a chunk is malformed',
  HPE_INVALID_EOF_STATE: 'the connection ended in the middle of a request',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  HPE_LF_EXPECTED: 'a line ends without line feed',
  HPE_CR_EXPECTED: 'a line ends without carriage return',
  HPE_CLOSED_CONNECTION: 'data came after the end of the last request',
  // Node loses what follows on a TLS connection when the answers of a deep pipeline are not read in time.
  HPE_PAUSED: 'too many requests were sent ahead of their answers; wait for answers in between',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not offered',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time',
};

/** Half a sentence on what is wrong with bytes that are no request. */
function describeParseFailure(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'unknown';
  return (
    (Object.hasOwn(PARSE_PROBLEMS, code) ? PARSE_PROBLEMS[code] : undefined) ??
    `it is malformed (${code.slice(0, 80)})`
  );
}
