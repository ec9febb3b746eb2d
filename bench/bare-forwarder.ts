/**
 * The yardsticks of forwarding: calls are taken over TLS with client certificates and sent on so, and nothing else is
 * done. Arguments: `dispatch` (undici, as low as it goes) or `http-proxy`, folder of certificates, port of the bank.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createProxyServer } from 'http-proxy';
import { type Dispatcher, Pool } from 'undici';

const [kind = 'dispatch', certs = 'certs', port = ''] = process.argv.slice(2);
const file = (name: string) => readFileSync(join(certs, name));
const client = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
const target = `https://localhost:${port}`;
const OF_THE_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

const forwarders: Readonly<
  Record<string, () => (request: IncomingMessage, response: ServerResponse) => void>
> = {
  dispatch: () => {
    const pool = new Pool(target, { connect: client, connections: 256 });
    return (request, response) => {
      const { method, url: path = '/', rawHeaders } = request;
      const headers = endToEnd(rawHeaders);
      const options = { method: method as 'GET', path, headers, body: method === 'GET' ? null : request };
      pool.dispatch(options, new Passing(response));
    };
  },
  'http-proxy': () => {
    const agent = new Agent({ ...client, keepAlive: true, maxSockets: 256 });
    const proxy = createProxyServer({ target, agent, changeOrigin: true });
    proxy.on('error', (_error, _request, response) => void response.destroy());
    return (request, response) => proxy.web(request, response);
  },
};

class Passing implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: string[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(): void {}

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
    this.#headers = endToEnd(Array.isArray(rawHeaders) ? rawHeaders : []);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#response.writeHead(this.#status, this.#headers);
    this.#response.end(body);
  }

  onResponseError(): void {
    this.#response.destroy();
  }
}

function endToEnd(raw: readonly (string | Buffer)[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = String(raw[i]);
    if (!OF_THE_HOP.has(name.toLowerCase())) kept.push(name, String(raw[i + 1]));
  }
  return kept;
}

const forward = forwarders[kind]?.();
if (forward === undefined) throw new Error(`there is no forwarder ${kind}`);
const tls = {
  cert: file('server.pem'),
  key: file('server.key'),
  requestCert: true,
  rejectUnauthorized: false,
};
const server = createServer({ ...tls, keepAliveTimeout: 60_000 }, forward);
server.listen(0, '127.0.0.1', () => {
  const own = (server.address() as AddressInfo).port;
  process.stdout.write(`${JSON.stringify({ ready: true, api: `https://localhost:${own}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
