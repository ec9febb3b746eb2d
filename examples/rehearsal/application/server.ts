/** A small application: its users link a bank, see their accounts, and pay; and what a rehearsal asks of it. */
import { randomUUID } from 'node:crypto';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { BankAway, openBankLine } from './bank.js';
import { beginLink, finishLink, type Parts } from './linking.js';
import { beginPayment, type CreatePayment, isAccepted, readStatus, readStatuses } from './payments.js';
import { openStore } from './store.js';
import { createSync, type ReadPages } from './sync.js';

export interface Ways {
  readonly readPages: ReadPages;
  readonly createPayment: CreatePayment;
}

const COOKIE = 'browser';

export async function serve({ readPages, createPayment }: Ways, env: NodeJS.ProcessEnv): Promise<void> {
  const port = Number(env.PORT ?? 3000);
  let ahead = 0;
  const parts: Parts = {
    bank: openBankLine(env),
    store: openStore(env.DATABASE ?? ':memory:'),
    origin: `http://localhost:${port}`,
    now: () => Date.now() + ahead,
  };
  const { store } = parts;
  const sync = createSync(parts, readPages);
  const app = fastify({ bodyLimit: 20_000 });

  /** Each browser by a cookie of its own. */
  const browserOf = (request: FastifyRequest, reply: FastifyReply): string => {
    const known = /(?:^|; )browser=([0-9a-f-]{36})/.exec(request.headers.cookie ?? '')?.[1];
    const browser = known ?? randomUUID();
    if (known === undefined)
      reply.header('Set-Cookie', `${COOKIE}=${browser}; HttpOnly; SameSite=Lax; Path=/`);
    return browser;
  };
  const show = (reply: FastifyReply, title: string, text: string) =>
    reply
      .header('Content-Security-Policy', "default-src 'none'")
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>`,
      );
  const failed = (reply: FastifyReply, what: string, error: unknown) =>
    show(
      reply,
      what,
      error instanceof BankAway
        ? `${error.message} Please try again later.`
        : String((error as Error).message),
    );

  app.get('/', (_, reply) => show(reply, 'Purse', 'Your accounts in one place.'));

  app.get<{ Querystring: { explicit?: string } }>('/link', async (request, reply) => {
    const [browser, explicit] = [browserOf(request, reply), request.query.explicit === 'true'];
    try {
      return reply.redirect(await beginLink(parts, { browser, explicit, psuIp: request.ip }), 303);
    } catch (error) {
      return failed(reply, 'Your bank could not be linked', error);
    }
  });

  app.get<{ Querystring: Record<'from' | 'to' | 'amount' | 'explicit', string | undefined> }>(
    '/pay',
    async (request, reply) => {
      const { from = '', to = '', amount = '', explicit } = request.query;
      if (!/^\d{1,7}\.\d\d$/.test(amount)) return show(reply, 'Nothing was paid', 'The amount is not right.');
      const order = {
        from,
        to,
        amount,
        explicit: explicit === 'true',
        browser: browserOf(request, reply),
        psuIp: request.ip,
      };
      try {
        return reply.redirect(await beginPayment(parts, order, createPayment), 303);
      } catch (error) {
        const known =
          'We do not know whether your bank has the payment. Without your yes at the bank nothing is paid.';
        return failed(reply, error instanceof BankAway ? known : 'Nothing was paid', error);
      }
    },
  );

  app.get<{ Querystring: { state?: string } }>('/back', async (request, reply) => {
    const [browser, { state = '' }] = [browserOf(request, reply), request.query];
    const returned = new URL(request.url, parts.origin);
    const link = store.linkOfState(state, browser);
    if (link !== undefined) {
      if (link.status === 'valid') return reply.redirect('/accounts', 303);
      if (link.status !== 'begun')
        return show(reply, 'Not linked', 'This way to your bank is over. Please link it again.');
      try {
        await finishLink(parts, link, returned);
      } catch (error) {
        return failed(reply, 'Your bank was not linked', error);
      }
      // The accounts come with the next sync, if not now.
      await sync.link(store.link(link.id) ?? link, request.ip).catch(() => undefined);
      return reply.redirect('/accounts', 303);
    }
    const payment = store.paymentOfState(state, browser);
    if (payment === undefined)
      return show(
        reply,
        'We cannot tell where you come from',
        'This return belongs to nothing that you began here. Please begin again.',
      );
    try {
      const status = await readStatus(parts, payment);
      return isAccepted(status)
        ? show(reply, 'Paid', `Your bank has taken your payment of ${payment.amount} EUR (${status}).`)
        : show(
            reply,
            'Not paid',
            `Your bank has no yes of yours for the payment of ${payment.amount} EUR (${status}).`,
          );
    } catch (error) {
      return failed(reply, 'We do not know yet whether you have paid', error);
    }
  });

  app.get('/accounts', async (request, reply) => {
    const links = store.linksOf(browserOf(request, reply)).filter(({ status }) => status === 'valid');
    const rows = links
      .flatMap(({ id }) => store.accountsOf(id))
      .map(({ iban, balance }) => `${iban}: ${(balance / 100).toFixed(2)} EUR`);
    return show(reply, 'Your accounts', rows.join('; ') || 'They come with the next sync.');
  });

  app.post<{ Params: { reference: string } }>('/notified/:reference', async (request, reply) => {
    const payment = store.payment(request.params.reference);
    // Whoever calls: what counts is what the bank says when it is asked.
    if (payment !== undefined) await readStatus(parts, payment).catch(() => undefined);
    return reply.code(204).send();
  });
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume().on('end', () => done(null, null));
  });

  app.post('/sync', async (_, reply) => {
    const [{ read, problems }, unread] = [await sync.all(), await readStatuses(parts)];
    const all = [...problems, ...unread];
    return reply.code(all.length === 0 ? 200 : 424).send({ read, problems: all });
  });

  if (env.NODE_ENV !== 'production') addTestRoutes();
  function addTestRoutes() {
    app.post('/test/reset', (_, reply) => {
      store.clear();
      ahead = 0;
      return reply.code(204).send();
    });
    app.post<{ Querystring: { now: string } }>('/test/clock', (request, reply) => {
      ahead = Date.parse(request.query.now) - Date.now();
      return reply.code(204).send();
    });
    app.get('/test/belief', () => ({
      accounts: store.accounts().map(({ iban, balance }) => {
        const { count, sum } = store.sumOf(iban);
        return {
          iban,
          balance: (balance / 100).toFixed(2),
          transactions: count,
          sum: (sum / 100).toFixed(2),
        };
      }),
      payments: store
        .payments()
        .map(({ reference, amount, status }) => ({ endToEndIdentification: reference, amount, status })),
      consents: ['valid', 'unwanted', 'expired', 'revokedByPsu', 'terminatedByTpp'].flatMap((status) =>
        store.linksIn(status).map(() => ({ status })),
      ),
    }));
  }

  await app.listen({ host: 'localhost', port });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void app.close().then(() => process.exit(0)));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
