/** The yardstick: Node's https server with client certificates and about 1 KB of JSON, and nothing else. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [certs = 'certs'] = process.argv.slice(2);
const file = (name: string) => readFileSync(join(certs, name));
const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000) }));
const head = { 'Content-Type': 'application/json', 'Content-Length': body.length };

const server = createServer(
  {
    cert: file('server.pem'),
    key: file('server.key'),
    requestCert: true,
    rejectUnauthorized: false,
    keepAliveTimeout: 60_000,
  },
  (_request, response) => response.writeHead(200, head).end(body),
);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, api: `https://localhost:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
