/** Banks for tests: one that speaks HTTP well, one that is scripted byte by byte, both over TLS with client certificates. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import type { AnswerContext, Answered } from '../../../src/answer/answerer.js';
import {
  createCredentials,
  createUpstream,
  type Upstream,
  type UpstreamLimits,
} from '../../../src/answer/upstream/index.js';
import { createWorld } from '../../../src/bank/index.js';
import type { Call } from '../../../src/exchange/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { aCall, type CallParts, NOW } from '../../builders.js';
import type { Certificates, Pair } from './certificates.js';

export interface Bank {
  readonly url: URL;
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** Connections that were ever made. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

const beneath = new WeakMap<Socket, Socket>();

/** Ends a TLS connection by a TCP reset. */
export function reset(socket: Socket): void {
  beneath.get(socket)?.resetAndDestroy();
}

async function listen(server: Server): Promise<Bank> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const byPort = new Map<number | undefined, Socket>();
  server.on('connection', (raw: Socket) => void byPort.set(raw.remotePort, raw));
  server.on('secureConnection', (socket) => {
    connections++;
    const raw = byPort.get(socket.remotePort);
    if (raw !== undefined) beneath.set(socket, raw);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    url: new URL(`https://localhost:${(server.address() as AddressInfo).port}/`),
    sockets,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
const WITH_CLIENT = { requestCert: true, rejectUnauthorized: true } as const;

export function startBank(
  certificates: Certificates,
  listener: RequestListener,
  tls: TlsOptions = {},
): Promise<Bank> {
  const server = createHttpsServer(
    { ...certificates.server, ca: certificates.ca.cert, ...WITH_CLIENT, keepAliveTimeout: 60_000, ...tls },
    listener,
  );
  return listen(server);
}

/** `onHead` is called with each request head as it came; it writes what it likes. */
export function startScriptedBank(
  certificates: Certificates,
  onHead: (socket: TLSSocket, head: string, count: number) => void,
  pair: Pair = certificates.server,
): Promise<Bank> {
  let count = 0;
  const server = createTlsServer(
    { ...pair, ca: certificates.ca.cert, ...WITH_CLIENT, ALPNProtocols: ['http/1.1'] },
    (socket) => {
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1');
        for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
          const head = text.slice(0, end);
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
          if (text.length < end + 4 + length) return;
          text = text.slice(end + 4 + length);
          onHead(socket, head, ++count);
        }
      });
    },
  );
  return listen(server);
}

export interface Way {
  readonly upstream: Upstream;
  readonly answer: (call?: CallParts | Call, context?: Partial<AnswerContext>) => Promise<Answered>;
}

/** Every caller is known. */
export const TO_ALL = { proof: () => null, lendsToAnyone: false } as const;
export const GATEWAY = { api: 'https://127.0.0.1:8443', psu: 'https://127.0.0.1:8444' };
export const recognise = dialectOf().recognise;
export const quiet = { info: () => {}, warn: () => {} };

export interface WayParts {
  readonly target: URL;
  readonly psuTarget?: URL;
  readonly rewrite?: boolean;
  readonly limits?: Partial<UpstreamLimits>;
}

/** An upstream answerer that shows `client` to the bank. */
export function openWay(
  files: { write: (name: string, content: string) => string },
  certificates: Certificates,
  { rewrite = true, ...parts }: WayParts,
  client: Pair | null = certificates.client,
): Way {
  const credentials = createCredentials({
    ca: [files.write('ca.pem', certificates.ca.cert)],
    ...(client === null
      ? {}
      : {
          fallback: {
            cert: files.write('client.pem', client.cert),
            key: files.write('client.key', client.key),
          },
        }),
    env: {},
    log: quiet,
    reloadMs: 0,
  });
  const upstream = createUpstream({
    ...TO_ALL,
    ...parts,
    rewrite,
    credentials,
    recognise,
    urls: () => GATEWAY,
  });
  return {
    upstream,
    answer: async (call = {}, context = {}) => {
      const made = 'request' in call ? call : aCall(call);
      const answered = await upstream.answer(made, {
        ...createWorld(),
        refusal: null,
        now: NOW,
        signal: new AbortController().signal,
        ...context,
      });
      if (answered === null) throw new Error('the upstream gave no answer');
      return answered;
    },
  };
}

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What went over the wire, whole. */
export function wireOf(answered: Answered): Buffer {
  if (!(answered.wire instanceof Uint8Array)) throw new Error('the answer is not whole');
  return Buffer.from(answered.wire);
}

export async function until(condition: () => boolean, what: string, ms = 5_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
