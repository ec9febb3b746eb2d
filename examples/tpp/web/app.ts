/** A small personal finance application: its own users link a bank, see their accounts, pay, and take the access back. */
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Problem } from '../connection.js';
import { accountPage, homePage, orderPage, problemPage, signInPage, style } from './pages.js';
import type { Purse } from './purse.js';
import type { Session } from './users.js';

type Form = Readonly<Record<string, string>>;
const COOKIE = 'purse';

/** `origin`: address of this application, as browsers see it. */
export function createApp({ users, bankOf, notified }: Purse, origin: () => string) {
  const app = fastify({ bodyLimit: 10_000 });

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  // A notification may be of any type: nothing of it is believed.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.addHook('onSend', async (_, reply) => {
    reply.header('Content-Security-Policy', "default-src 'none'; style-src 'self'; base-uri 'none'");
    reply.header('Cache-Control', 'no-store');
    reply.header('Referrer-Policy', 'no-referrer');
  });

  const show = (reply: FastifyReply, page: string, status = 200) =>
    reply.code(status).type('text/html; charset=utf-8').send(page);

  /** Only for who is signed in, and changes only from forms of ours. */
  const signedIn =
    (handle: (session: Session, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const session = users.sessionOf(cookieOf(request));
      if (session === undefined) return show(reply, signInPage());
      if (request.method === 'POST' && formOf(request).formToken !== session.formToken)
        return show(reply, problemPage('Not done', 'This form is not of this session.', session), 403);
      try {
        return await handle(session, request, reply);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return show(reply, problemPage('That did not work', error.message, session), 424);
      }
    };
  app.setErrorHandler((error: Error, request, reply) => {
    process.stderr.write(`${request.method} ${request.url.split('?', 1)[0]}: ${error.stack}\n`);
    return show(reply, problemPage('Something is wrong here', 'The mistake is ours, not yours.'), 500);
  });

  app.get('/style.css', (_, reply) => reply.type('text/css').send(style()));

  app.get(
    '/',
    signedIn(async (session, request, reply) => {
      const linked = bankOf(session.user.name);
      // What was read before is shown where the bank cannot be asked now.
      const asked = await Promise.allSettled([linked.read(request.ip), linked.orders.refresh(request.ip)]);
      const problems = asked.map((one) => (one.status === 'rejected' ? wordsOf(one.reason) : undefined));
      return show(
        reply,
        homePage(session, {
          accounts: linked.isLinked() ? linked.accounts() : null,
          readAt: linked.readAt(),
          payments: linked.orders.all(),
          problems: [linked.ending(), ...new Set(problems)],
        }),
      );
    }),
  );

  app.post('/sign-in', async (request, reply) => {
    const { name = '', password = '' } = formOf(request);
    const id = await users.signIn(name, password);
    if (id === undefined) return show(reply, signInPage('Name or password is wrong.'), 403);
    // Lax: the cookie comes along when the bank sends the browser back.
    reply.header('Set-Cookie', `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/`);
    return reply.redirect('/', 303);
  });

  app.post(
    '/sign-out',
    signedIn(async (_, request, reply) => {
      users.signOut(cookieOf(request) ?? '');
      return reply.redirect('/', 303);
    }),
  );

  app.post(
    '/link',
    signedIn(async ({ user }, { ip }, reply) => {
      const url = await bankOf(user.name).link(ip);
      return reply.redirect(url.href, 303);
    }),
  );

  app.post(
    '/pay',
    signedIn(async ({ user }, request, reply) => {
      const { amount = '', debtorIban = '', creditorIban = '', creditorName = '' } = formOf(request);
      const url = await bankOf(user.name).pay({
        ...{ amount, creditorName },
        debtorIban: debtorIban.replaceAll(' ', ''),
        creditorIban: creditorIban.replaceAll(' ', ''),
        psuIp: request.ip,
      });
      return reply.redirect(url.href, 303);
    }),
  );

  app.get(
    '/back',
    signedIn(async ({ user }, { url }, reply) => {
      const onward = await bankOf(user.name).cameBack(new URL(url, origin()));
      return reply.redirect(onward, 303);
    }),
  );

  app.get<{ Params: { id: string } }>(
    '/accounts/:id',
    signedIn(async (session, request, reply) => {
      const { id } = request.params as { id: string };
      const account = bankOf(session.user.name)
        .accounts()
        .find(({ resourceId }) => resourceId === id);
      if (account === undefined) throw new Problem('There is no such account.');
      return show(reply, accountPage(session, account));
    }),
  );

  app.get<{ Params: { reference: string } }>(
    '/payments/:reference',
    signedIn(async (session, request, reply) => {
      const { reference } = request.params as { reference: string };
      const { orders } = bankOf(session.user.name);
      const order = orders.all().find((one) => one.reference === reference);
      if (order === undefined) throw new Problem('There is no such payment.');
      try {
        const fresh = await orders.refreshOne(reference);
        return show(reply, orderPage(session, fresh ?? order));
      } catch (error) {
        return show(reply, orderPage(session, order, wordsOf(error)));
      }
    }),
  );

  app.post(
    '/revoke',
    signedIn(async ({ user }, _, reply) => {
      await bankOf(user.name).revoke();
      return reply.redirect('/', 303);
    }),
  );

  // Whoever calls: what counts is what the bank says when it is asked.
  app.post<{ Params: { reference: string } }>('/notified/:reference', async ({ params }, reply) => {
    await notified(params.reference).catch(wordsOf);
    return reply.code(204).send();
  });

  return app;
}

/** Only what users may read; any other error is a mistake of ours. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  return error.message;
}

function formOf({ body }: FastifyRequest): Form {
  return (body ?? {}) as Form;
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${COOKIE}=([A-Za-z0-9_-]+)`).exec(headers.cookie ?? '')?.[1];
}
