/** Raw bytes over TLS to a listener, for requests that no HTTP client would send. */
import { connect as connectTcp, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type SecureContext,
} from 'node:tls';
import type { TestGateway } from './harness.js';

export type Side = 'api' | 'psu';

export function portOf(gateway: TestGateway, side: Side = 'api'): number {
  return Number(new URL(gateway.urls[side]).port);
}

const contexts = new WeakMap<TestGateway, SecureContext>();
const OF_CONTEXT = ['ca', 'cert', 'key', 'minVersion', 'ciphers'] as const;

/** Made once, where the options want nothing else: a thousand connections of a test read the same files. */
function contextFor(gateway: TestGateway, options: ConnectionOptions): SecureContext {
  const isUsual = !OF_CONTEXT.some((name) => name in options);
  const known = contexts.get(gateway);
  if (isUsual && known !== undefined) return known;
  const { file } = gateway;
  const files = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  const context = createSecureContext({ ...files, ...options });
  if (isUsual) contexts.set(gateway, context);
  return context;
}

/** A TLS connection with the certificate `tpp`, ready to be written to. */
export function openTls(
  gateway: TestGateway,
  options: ConnectionOptions & { side?: Side; allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const { side, ...tls } = options;
  const socket = connectTls({
    host: '127.0.0.1',
    servername: 'localhost',
    port: portOf(gateway, side),
    ...tls,
    secureContext: contextFor(gateway, tls),
  });
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

export function openTcp(gateway: TestGateway, side: Side = 'api'): Promise<Socket> {
  const socket = connectTcp({ host: '127.0.0.1', port: portOf(gateway, side) });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** All that comes until the other end closes, however it does. */
export function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

/** What comes until the text holds `mark`. */
export function untilHolds(socket: Socket, mark: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(mark)) resolve(text);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after: ${text}`)));
  });
}

/** Sends bytes and gives back all that comes before the end. */
export async function sendRaw(
  gateway: TestGateway,
  bytes: string | Uint8Array,
  side?: Side,
): Promise<string> {
  const socket = await openTls(gateway, side === undefined ? {} : { side });
  const answer = untilClosed(socket);
  socket.write(bytes);
  return answer;
}

export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);

/** Head of a GET of the consent, without the empty line at its end. */
export const GET_CONSENT = [
  'GET /stdgroup/v1/consents/VALID_CONSENT_ID HTTP/1.1',
  'Host: localhost',
  'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
].join('\r\n');
