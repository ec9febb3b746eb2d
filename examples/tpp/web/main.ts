/** Serves the application on localhost, in front of a running gateway: `npx tsx examples/tpp/web/main.ts [API] [CERTS] [PORT]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { createApp } from './app.js';
import { createPurse } from './purse.js';

const [api = 'https://localhost:8443', certs = 'certs', port = '3000'] = process.argv.slice(2);
const file = (name: string) => readFileSync(join(certs, name), 'utf8');
const origin = () => `http://localhost:${port}`;
const SIX_HOURS_MS = 21_600_000;

const purse = createPurse(
  {
    bank: {
      api: `${api}/stdgroup/v1`,
      clientId: 'VALID_CLIENT_ID',
      dispatcher: new Agent({ connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') } }),
    },
    ...{ origin, now: Date.now },
  },
  { ada: 'ada', grace: 'grace' },
);
const app = createApp(purse, origin);
await app.listen({ host: 'localhost', port: Number(port) });
process.stdout.write(`Sign in at ${origin()}\n`);
const syncing = setInterval(() => {
  void purse.sync().then((problems) => process.stderr.write(problems.map((one) => `${one}\n`).join('')));
}, SIX_HOURS_MS);
app.addHook('onClose', () => clearInterval(syncing));
