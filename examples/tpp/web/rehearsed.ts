/** Serves the application to a rehearsal: the same, with a clock that is set, and routes that a rehearsal asks for. */
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { createApp } from './app.js';
import { bookedOf } from './pages.js';
import { createPurse } from './purse.js';

const { SANDGATE_API, SANDGATE_SEGMENT, SANDGATE_CA, SANDGATE_CERT, SANDGATE_KEY } = process.env;
const { PORT = '3000', BANK_TIMEOUT = '10000' } = process.env;
const file = (name = '') => readFileSync(name, 'utf8');
const origin = () => `http://localhost:${PORT}`;
let ahead = 0;
let explicit = false;

const dispatcher = new Agent({
  connect: { ca: file(SANDGATE_CA), cert: file(SANDGATE_CERT), key: file(SANDGATE_KEY) },
});
const purse = createPurse(
  {
    bank: {
      api: `${SANDGATE_API}/${SANDGATE_SEGMENT}/v1`,
      clientId: 'VALID_CLIENT_ID',
      ...{ dispatcher, timeoutMs: Number(BANK_TIMEOUT) },
    },
    origin,
    now: () => Date.now() + ahead,
    explicit: () => explicit,
  },
  {},
);
const app = createApp(purse, origin);

app.post('/test/reset', (_, reply) => {
  purse.forget();
  ahead = 0;
  return reply.code(204).send();
});

app.post<{ Querystring: { now: string } }>('/test/clock', ({ query }, reply) => {
  ahead = Date.parse(query.now) - Date.now();
  return reply.code(204).send();
});

/** A user for each PSU, whose password is the name; the sign-in comes next. */
app.get<{ Querystring: { name: string; explicit: string } }>('/test/user', ({ query }, reply) => {
  purse.users.add(query.name, query.name);
  explicit = query.explicit === 'true';
  return reply.redirect('/', 303);
});

app.post('/test/sync', async (_, reply) => {
  const problems = await purse.sync();
  return reply.code(problems.length === 0 ? 200 : 424).send({ problems });
});

app.get('/test/belief', () => {
  const banks = purse.banks();
  return {
    accounts: banks.flatMap((linked) =>
      linked.accounts().map(({ iban, balances, transactions }) => ({
        iban,
        balance: bookedOf(balances)?.amount,
        transactions: transactions.length,
        sum: sumOf(transactions.map(({ transactionAmount }) => transactionAmount.amount)),
      })),
    ),
    payments: banks.flatMap(({ orders }) =>
      orders
        .all()
        .map(({ reference, amount, status }) => ({ endToEndIdentification: reference, amount, status })),
    ),
    consents: banks.filter(({ isLinked }) => isLinked()).map(() => ({ status: 'valid' })),
  };
});

const sumOf = (amounts: readonly string[]): string =>
  (amounts.reduce((cents, amount) => cents + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);

await app.listen({ host: 'localhost', port: Number(PORT) });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void app.close().then(() => process.exit(0)));
