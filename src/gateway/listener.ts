/** A listener: a port with its server and limits, in front of the pipeline. */

import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { Fault } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { listenForFailures } from './connection-failures.js';
import { type ConnectionFaults, meetConnectionFaults } from './connection-faults.js';
import { type ConnectionLimits, closeSilent, type Identify, trackConnections } from './connections.js';
import { bareAnswer, endWith, isEnding } from './end-connection.js';
import type { FailedConnections } from './failed-connections.js';
import { createReadForwarded, createTakeOff } from './forwarded-peers.js';
import type { Pages } from './pages.js';
import { createPeers, otherEnd, type PeersParts } from './peers.js';
import { createProxyProtocol } from './proxy-protocol.js';
import { type OwnAddress, readHead } from './request-head.js';
import { createRequestHandler, type RequestsParts } from './requests.js';
import { isKnownCaller } from './strangers.js';
import { refuseStrictly } from './strict-tls.js';

/** Sizes in bytes, times in ms. */
export interface ListenerLimits extends ConnectionLimits {
  readonly headers: number;
  readonly body: number;
  readonly handshake: number;
  readonly headersTime: number;
  readonly requestTime: number;
  readonly idle: number;
  readonly unread: number;
  readonly keepAlive: number;
}

export interface ListenerParts
  extends Omit<RequestsParts, 'limits' | 'own' | 'connections' | 'peerOf' | 'readForwarded' | 'isClosing'> {
  readonly host: string;
  readonly port: number;
  /** The flag that sets the address; named where it cannot be listened on. */
  readonly flag: string;
  /** PEM; null: plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly limits: ListenerLimits;
  /** Base URL under which the listener is reached, known once it listens. */
  readonly url: () => string;
  readonly peers: PeersParts;
  /** Whether a client certificate that is no good ends the handshake. */
  readonly strictTls?: boolean;
  /** Whether an address is that of a load balancer which puts a PROXY protocol header before its connections. */
  readonly proxyFrom?: ((address: string) => boolean) | undefined;
  readonly failures: FailedConnections;
  /** Faults that connections to the API listener meet. */
  readonly connectionFaults?: ConnectionFaults | undefined;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
  /** From the next handshake on this certificate is shown; connections that are open go on. */
  readonly renew: (pair: { readonly cert: string; readonly key: string }) => void;
  /** Ends connections on which no call is under way. */
  readonly closeIdle: () => void;
  /** Stops accepting, lets running calls finish for at most `grace` ms, and cuts what is left. */
  readonly close: (grace: number) => Promise<void>;
}

export async function openListener(parts: ListenerParts): Promise<Listener> {
  const { listener, limits, failures } = parts;
  const asksForCertificate = listener === 'api';
  const server = createServer(parts, asksForCertificate);
  const { forwarded } = parts.peers;
  const onFailed = (address: string, fault: Fault) => {
    const peer = { connection: { address, tls: 'not-observed' }, certificate: 'not-observed' } as const;
    failures.take({ listener, peer, fault, status: null });
  };
  if (asksForCertificate && parts.connectionFaults !== undefined && server instanceof HttpsServer)
    meetConnectionFaults({
      ...parts.connectionFaults,
      ...{ server, options: tlsOptions(limits, true), handshake: limits.handshake },
      hasCalled: (socket) => connections.hasCalled(socket),
      onFailed: (socket, injected, message) => {
        const connection = { address: connections.addressOf(socket), tls: 'not-observed' } as const;
        const peer = { connection, certificate: 'not-observed' } as const;
        failures.take({ listener, peer, fault: { kind: 'injected', message }, status: null, injected });
      },
      onError: parts.onError,
    });
  const proxied = parts.proxyFrom
    ? createProxyProtocol({ isFrom: parts.proxyFrom, time: limits.handshake, onFailed })
    : null;
  const onCut = (address: string) =>
    onFailed(address, { kind: 'overload', message: 'The connection was closed: too many are open.' });
  const identify: Identify = proxied?.identify ?? ((socket, isOf) => isOf(otherEnd(socket)));
  const connections = trackConnections({
    server,
    limits,
    // The PSU listener asks for no certificate: everybody there is a stranger.
    mostStrangers: asksForCertificate ? Math.ceil(limits.connections / 2) : limits.connections,
    isTrusted: asksForCertificate ? forwarded?.isTrusted : undefined,
    identify,
    onCut,
  });
  // Node closes them with the server, and takes for idle a connection whose last answer is still leaving.
  server.closeIdleConnections = connections.closeIdle;
  const peers = createPeers(parts.peers, connections.addressOf);
  const peerOf = (socket: Socket) => peers.of(socket, asksForCertificate);
  if (asksForCertificate)
    server.on('secureConnection', (socket: Socket) => {
      connections.recognise(socket, isKnownCaller(peerOf(socket).certificate));
    });
  closeSilent(server, limits, connections.isBusy);
  if (asksForCertificate && parts.strictTls === true && server instanceof HttpsServer)
    refuseStrictly({
      ...{ server, peerOf, clock: parts.peers.clock },
      isSpared: (socket) => forwarded?.isTrusted(connections.addressOf(socket)) === true,
      onRefused: (peer, message) =>
        failures.take({ listener, peer, fault: { kind: 'handshake', message }, status: null }),
    });
  let closing = false;
  const isClosing = () => closing;
  const own = () => ({ url: parts.url(), host: parts.host });
  const requests = createRequestHandler({
    ...parts,
    own,
    connections,
    peerOf,
    readForwarded:
      asksForCertificate && forwarded !== undefined ? createReadForwarded(forwarded, peers.factsOf) : null,
    isClosing,
  });
  if (!asksForCertificate && forwarded !== undefined) {
    const takeOff = createTakeOff(forwarded);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, takeOff);
    if (parts.pages !== null) server.on('upgrade', takeOff);
  }
  server.on('request', requests.take);
  server.on('checkContinue', requests.takeExpecting);
  // An expectation that is not known may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', requests.take);
  if (parts.pages !== null) server.on('upgrade', takeUpgrade(parts.pages, own));
  listenForFailures({
    server,
    listener,
    connections,
    failures,
    requests,
    peerOf,
    isClosing,
  });

  await listen(server, parts);
  server.on('error', parts.onError);
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    renew: (pair) => {
      if (server instanceof HttpsServer)
        server.setSecureContext({ ...tlsOptions(limits, asksForCertificate), ...pair });
    },
    closeIdle: connections.closeIdle,
    close: async (grace) => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      proxied?.close();
      const cut = setTimeout(connections.closeAll, grace);
      await closed;
      clearTimeout(cut);
    },
  };
}

function takeUpgrade(pages: Pages, own: () => OwnAddress) {
  return (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const socket = stream as Socket;
    socket.on('error', () => {});
    if (isEnding(socket)) return;
    const { target, problem } = readHead(request, own, 'psu');
    const { method, headers } = request;
    if (problem !== null) endWith(socket, bareAnswer(problem.status ?? 400, problem.text.replace(/\.$/, '')));
    else if (!pages.areShown() || method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket')
      endWith(socket, bareAnswer(501, 'that protocol is not offered'));
    else {
      request.url = target;
      pages.upgrade(request, socket, head);
    }
  };
}

function createServer({ tls, limits }: ListenerParts, asksForCertificate: boolean): HttpServer | HttpsServer {
  const http = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTime,
    requestTimeout: Math.max(limits.requestTime, limits.headersTime),
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(limits.headersTime / 2)),
    // A request without Host is answered, and recorded, by the pipeline.
    requireHostHeader: false,
    noDelay: true,
  };
  const server =
    tls === null
      ? createHttpServer(http)
      : createHttpsServer({
          ...http,
          cert: tls.cert,
          key: tls.key,
          ...tlsOptions(limits, asksForCertificate),
        });
  // Header fields are limited by their size; a limit on their number would drop some silently.
  server.maxHeadersCount = 0;
  return server;
}

const tlsOptions = ({ handshake }: ListenerLimits, asksForCertificate: boolean): TlsOptions => ({
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1', 'http/1.0'],
  handshakeTimeout: handshake,
  // A client that renegotiates could change its certificate in the middle of a connection.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  // A handshake without certificate is an answer, not a broken connection. Weak keys pass too, and are judged.
  ...(asksForCertificate ? { requestCert: true, rejectUnauthorized: false } : {}),
});

async function listen(server: HttpServer | HttpsServer, { host, port, flag }: ListenerParts): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    throw listenError(flag, host, port, cause as NodeJS.ErrnoException);
  }
}

/** One sentence for the user on why an address cannot be listened on. */
export function listenError(
  flag: string,
  host: string,
  port: number,
  cause: NodeJS.ErrnoException,
): SandgateError {
  const site = isIPv6(host) ? `[${host}]` : host;
  const address = `${site}:${port}`;
  const why =
    {
      EADDRINUSE: `another program is listening there; stop it, or choose another port (${flag} ${site}:0 takes a free one)`,
      EACCES: 'this user may not use that port; choose one above 1023',
      EADDRNOTAVAIL: 'this machine has no such address',
      ENOTFOUND: 'the name cannot be resolved',
    }[cause.code ?? ''] ?? cause.message;
  return new SandgateError('listener.refused', { flag, address, why }, { cause });
}
