/** Serves the application on localhost, in front of a running gateway: `npx tsx examples/tpp/web/main.ts [API] [CERTS] [PORT]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { createApp } from './app.js';

const [api = 'https://localhost:8443', certs = 'certs', port = '3000'] = process.argv.slice(2);
const file = (name: string) => readFileSync(join(certs, name), 'utf8');

const app = createApp({
  bank: {
    api: `${api}/stdgroup/v1`,
    clientId: 'VALID_CLIENT_ID',
    dispatcher: new Agent({ connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') } }),
  },
  origin: () => `http://localhost:${port}`,
  users: { ada: 'ada', grace: 'grace' },
  now: Date.now,
});
await app.listen({ host: 'localhost', port: Number(port) });
process.stdout.write(`Sign in at http://localhost:${port}\n`);
