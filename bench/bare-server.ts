/**
 * The yardstick: Node's https server with client certificates and about 1 KB of JSON, and nothing else. With `bank`
 * behind the folder of certificates the JSON is a list of accounts, and X-Request-ID comes back; with `fickle-bank` no
 * two of the lists are alike.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [certs = 'certs', kind = 'text'] = process.argv.slice(2);
const file = (name: string) => readFileSync(join(certs, name));
const ACCOUNTS = {
  accounts: ['BE14983120441783', 'BE86986509812450', 'BE67983610020587'].map((iban, i) => ({
    resourceId: `3dc3d5b3-7023-4848-9853-f5400a64e80${i}`,
    iban,
    currency: 'EUR',
    name: `Account number ${i} of the household`,
    product: 'Current account',
    cashAccountType: 'CACC',
    _links: {
      balances: { href: `/stdgroup/v1/accounts/3dc3d5b3-7023-4848-9853-f5400a64e80${i}/balances` },
      transactions: { href: `/stdgroup/v1/accounts/3dc3d5b3-7023-4848-9853-f5400a64e80${i}/transactions` },
    },
  })),
};
const isBank = kind !== 'text';
const body = Buffer.from(JSON.stringify(isBank ? ACCOUNTS : { text: 'x'.repeat(1_000) }));
let answered = 0;
/** Of one length, so that the head stays as it is. */
const nextBody = (): Buffer => {
  if (kind !== 'fickle-bank') return body;
  return Buffer.from(body.toString('latin1').replace('household', String(1e8 + answered++)));
};
const head = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
const headFor = (request: IncomingMessage): string[] =>
  isBank ? [...head, 'X-Request-ID', String(request.headers['x-request-id'])] : head;

const server = createServer(
  {
    cert: file('server.pem'),
    key: file('server.key'),
    requestCert: true,
    rejectUnauthorized: false,
    keepAliveTimeout: 60_000,
  },
  (request, response) => response.writeHead(200, headFor(request)).end(nextBody()),
);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, api: `https://localhost:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
