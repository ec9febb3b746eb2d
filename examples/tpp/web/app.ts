/** A small personal finance application: its own users link a bank, see their accounts, pay, and take the access back. */
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { BankRefusal, type BankSettings } from '../connection.js';
import { createLinkedBank, type LinkedBank } from './linked-bank.js';
import { accountPage, homePage, problemPage, signInPage, style } from './pages.js';
import { createUsers, type Session } from './users.js';

export interface AppParts {
  readonly bank: BankSettings;
  /** Address of this application, as browsers see it: `http://localhost:3000`. */
  readonly origin: () => string;
  /** Names and passwords of its users. */
  readonly users: Readonly<Record<string, string>>;
  /** Epoch ms. */
  readonly now: () => number;
}

type Form = Readonly<Record<string, string>>;
const COOKIE = 'purse';
const DAY_MS = 86_400_000;

export function createApp({ bank, origin, users: passwords, now }: AppParts) {
  const app = fastify({ bodyLimit: 10_000 });
  const users = createUsers(passwords);
  const banks = new Map<string, LinkedBank>();
  const bankOf = ({ user }: Session): LinkedBank => {
    const known = banks.get(user.name) ?? createLinkedBank(bank, `${origin()}/back`, now);
    banks.set(user.name, known);
    return known;
  };
  const dayFrom = (days: number) => new Date(now() + days * DAY_MS).toISOString().slice(0, 10);

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
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
        const text = error instanceof Error ? error.message : String(error);
        // Not a fault of this application: the user is told, and can go on.
        return show(reply, problemPage('That did not work', text, session), 424);
      }
    };

  app.get('/style.css', (_, reply) => reply.type('text/css').send(style()));

  app.get(
    '/',
    signedIn(async (session, request, reply) => {
      const linked = bankOf(session);
      const payments = await linked.payments();
      if (!linked.isLinked()) return show(reply, homePage(session, { accounts: null, payments }));
      try {
        const accounts = await linked.accounts(request.ip);
        return show(reply, homePage(session, { accounts, payments }));
      } catch (error) {
        const hasEnded = error instanceof BankRefusal && error.status === 401;
        if (hasEnded) linked.forget();
        const told = (error as Error).message;
        const problem = hasEnded ? `The access has ended. ${told}` : `Your accounts cannot be read. ${told}`;
        const accounts = hasEnded ? null : [];
        return show(reply, homePage(session, { accounts, payments, problem }));
      }
    }),
  );

  app.post('/sign-in', async (request, reply) => {
    const { name = '', password = '' } = formOf(request);
    const id = users.signIn(name, password);
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
    signedIn(async (session, { ip }, reply) => {
      const url = await bankOf(session).link({ validUntil: dayFrom(89), psuIp: ip });
      return reply.redirect(url.href, 303);
    }),
  );

  app.post(
    '/pay',
    signedIn(async (session, request, reply) => {
      const { amount = '', debtorIban = '', creditorIban = '', creditorName = '' } = formOf(request);
      const url = await bankOf(session).pay({
        ...{ amount, creditorName },
        debtorIban: debtorIban.replaceAll(' ', ''),
        creditorIban: creditorIban.replaceAll(' ', ''),
        redirectUri: `${origin()}/back`,
        psuIp: request.ip,
      });
      return reply.redirect(url.href, 303);
    }),
  );

  app.get(
    '/back',
    signedIn(async (session, { url }, reply) => {
      await bankOf(session).cameBack(new URL(url, origin()));
      return reply.redirect('/', 303);
    }),
  );

  app.get<{ Params: { id: string } }>(
    '/accounts/:id',
    signedIn(async (session, request, reply) => {
      const { id } = request.params as { id: string };
      const transactions = await bankOf(session).transactions(id, dayFrom(-30), request.ip);
      return show(reply, accountPage(session, id, transactions));
    }),
  );

  app.post(
    '/revoke',
    signedIn(async (session, _, reply) => {
      await bankOf(session).revoke();
      return reply.redirect('/', 303);
    }),
  );

  return app;
}

function formOf({ body }: FastifyRequest): Form {
  return (body ?? {}) as Form;
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${COOKIE}=([A-Za-z0-9_-]+)`).exec(headers.cookie ?? '')?.[1];
}
