/**
 * One attempt of a resource status notification over HTTP: its address is looked up and checked, and it is sent there
 * and nowhere else, bounded in time and size.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Call, Fault, TlsFacts } from '../../exchange/index.js';
import { abortFault, openRequest, pinnedTo, plainHost } from '../../outgoing/index.js';
import type { Received } from './notification-call.js';

export interface Try {
  readonly url: URL;
  readonly call: Call;
  /** The checked address; a name is not looked up again, so it cannot lead elsewhere by now. */
  readonly address: string;
  /** Whom to trust for https; undefined: whom Node trusts. */
  readonly secureContext: SecureContext | undefined;
  readonly answerBytes: number;
  readonly signal: AbortSignal;
  readonly isOurs: IsOurs;
}

/** Whether the other end of a connection is a listener of this gateway, or of one on the same store. */
export type IsOurs = (end: { readonly address: string; readonly port: number }) => Promise<boolean>;

export interface Tried {
  readonly tls: TlsFacts | null;
  readonly received: Received | null;
  readonly fault: Fault | null;
  readonly isFinal: boolean;
}

/** Never rejects. No redirect is followed: the answer is what the address itself says. */
export function sendNotification(attempt: Try): Promise<Tried> {
  return new Promise((resolve) => {
    let tls: TlsFacts | null = null;
    const request = open(attempt);
    const settle = (received: Received | null, fault: Fault | null, isFinal = false) => {
      resolve({ tls, received, fault, isFinal });
      request.destroy();
    };
    // Only once it is known where the connection has ended: the address may have stood for another one.
    const send = async (socket: Socket) => {
      const end = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
      if (await attempt.isOurs(end)) settle(null, oursFault(end), true);
      else if (!request.destroyed) request.end(attempt.call.request.body?.text);
    };
    request.on('socket', (socket) => {
      socket.once('connect', () => void send(socket).catch((error) => request.destroy(error)));
      const note = () => {
        if (socket instanceof TLSSocket) tls = tlsFacts(socket);
      };
      socket.once('secureConnect', note);
    });
    request.on('response', (response) => collect(response, attempt, settle));
    request.on('error', (error) => settle(null, faultOf(error, attempt.signal)));
  });
}

const oursFault = ({ address, port }: { address: string; port: number }): Fault => ({
  kind: 'refused',
  message: `${isIPv6(address) ? `[${address}]` : address}:${port} is a listener of Sandgate itself, to which no notification is sent.`,
});

function open({ url, call, address, secureContext, signal }: Try): ClientRequest {
  const host = plainHost(url.hostname);
  return openRequest(url, {
    // The URL's own hostname may end in a dot.
    hostname: host,
    method: 'POST',
    headers: Object.fromEntries(call.request.headers),
    agent: false,
    lookup: pinnedTo(address),
    signal,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secureContext === undefined ? {} : { secureContext }),
  });
}

function collect(
  response: IncomingMessage,
  { answerBytes: limit, signal }: Try,
  settle: (received: Received | null, fault: Fault | null) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const received = (truncated: boolean): Received => ({
    status: response.statusCode ?? 0,
    rawHeaders: response.rawHeaders,
    bytes: Buffer.concat(chunks).subarray(0, limit),
    truncated,
  });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) settle(received(true), null);
  });
  response.on('end', () => settle(received(false), null));
  const broken: Fault = { kind: 'reset', message: 'The connection broke off in the middle of the answer.' };
  response.on('error', () => settle(null, signal.aborted ? abortFault(signal) : broken));
}

function tlsFacts(socket: TLSSocket): TlsFacts {
  const { standardName, name } = socket.getCipher();
  return {
    version: socket.getProtocol() ?? 'unknown',
    cipher: standardName ?? name,
    resumed: socket.isSessionReused(),
  };
}

const CONNECTION_FAULTS: Readonly<Record<string, Fault['kind']>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ERR_SWITCHED_PROTOCOLS: 'malformed',
};

function faultOf(error: Error & { code?: string }, signal: AbortSignal): Fault {
  if (signal.aborted) return abortFault(signal);
  const { code = '', message } = error;
  const known = CONNECTION_FAULTS[code];
  if (known !== undefined) return { kind: known, message };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'too-large', message: 'The headers of the answer are too large.' };
  if (code.startsWith('HPE_')) return { kind: 'malformed', message: `The answer is not HTTP: ${message}` };
  const isTls = code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || TLS_CODE.test(code);
  return { kind: isTls ? 'tls' : 'internal', message };
}

/** How OpenSSL's verdicts on a certificate are named: CERT_HAS_EXPIRED, UNABLE_TO_GET_ISSUER_CERT, EPROTO, … */
const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO|EPROTO/;
