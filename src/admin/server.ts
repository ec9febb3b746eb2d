/** Answers the requests of the admin listener. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { SCA_SCENARIOS } from '../spec/index.js';
import { type Awaitable, FILTER_FIELDS } from '../store/index.js';
import type { Ports } from './api/ports.js';
import { addApi } from './api/serve.js';
import { createGuard } from './guard.js';
import { addMetricsRoute, type Metrics } from './metrics/create-metrics.js';
import { addPageRoutes, type PagePort } from './page/routes.js';

export interface ReadinessCheck {
  readonly name: string;
  /** null: fine; else one sentence on what is wrong. */
  readonly check: () => Awaitable<string | null>;
}

export const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export function addHealthRoutes(server: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => {
        const problem = await problemOf(check);
        return { name, ok: problem === null, ...(problem === null ? {} : { problem }) };
      }),
    );
    const ready = results.every(({ ok }) => ok);
    reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not-ready', checks: results };
  });
}

export async function problemOf(check: ReadinessCheck['check']): Promise<string | null> {
  try {
    return await check();
  } catch {
    return 'The check itself failed.';
  }
}

export interface AnsweredParts {
  readonly host: string;
  /** Asked of every path but the health checks; a listener without it must be on loopback. */
  readonly token: string | undefined;
  readonly checks: readonly ReadinessCheck[];
  readonly ports?: Ports;
  /** Whether what changes something may be asked for; it may where absent. */
  readonly actions?: boolean;
  readonly metrics?: Metrics;
  /** Called with the connection of each request that only an operator may send. */
  readonly onOperator?: (socket: Socket) => void;
  readonly page?: PagePort;
}

const OUTCOMES = Object.entries(SCA_SCENARIOS).map(([id, { meaning }]) => [id, meaning] as const);

function noSchemas(): never {
  throw new Error('A route of the admin listener has a schema.');
}

/** `listening`: the server whose requests `routing` of it will be given; tests inject theirs. */
export function buildAdmin(parts: AnsweredParts, listening?: Server): FastifyInstance {
  const { host, token, checks, ports = {}, actions = true, metrics, page } = parts;
  const server = fastify({
    logger: false,
    bodyLimit: 1_048_576,
    // A longer id is no address; a shorter limit would be one of names that recordings may have.
    routerOptions: { maxParamLength: 4_000 },
    ...(listening === undefined ? {} : { serverFactory: () => listening }),
    // No route has a schema: the compilers of schemas would be loaded at every start for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  const guard = createGuard({ host, token });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    const path = request.url.split('?', 1)[0] ?? '';
    const isOpen = OPEN_PATHS.has(path);
    const denied = guard(request.raw, isOpen) ?? deniedAction(request, actions);
    if (denied === null) {
      if (!isOpen) parts.onOperator?.(request.raw.socket);
      return;
    }
    if (denied.status === 401)
      reply.header('WWW-Authenticate', ['Bearer', 'Basic realm="Sandgate", charset="UTF-8"']);
    return reply.code(denied.status).send({ error: denied.text });
  });
  takeJsonOnly(server);
  server.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: `There is no ${request.method} ${request.url.split('?', 1)[0]} here. Operators call this listener; TPPs call that of --listen.`,
    }),
  );
  server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply
      .code(status)
      .send({ error: status < 500 ? error.message : 'The admin listener could not handle the request.' });
  });
  addHealthRoutes(server, checks);
  addApi(server, ports);
  if (metrics !== undefined) addMetricsRoute(server, metrics);
  if (page !== undefined)
    addPageRoutes(server, page.folder, () => ({
      ...page.about(),
      actions,
      fields: FILTER_FIELDS,
      outcomes: OUTCOMES,
    }));
  return server;
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Actions are JSON, with or without a body: what a form of another site can send is none. */
function deniedAction({ method, headers }: FastifyRequest, areAllowed: boolean) {
  if (SAFE.has(method)) return null;
  if (!areAllowed) return { status: 403, text: 'This gateway was started with --no-actions.' } as const;
  const isJson = /^application\/json(?:$|[ ;])/i.test(headers['content-type'] ?? '');
  return isJson ? null : ({ status: 415, text: 'Send it with Content-Type: application/json.' } as const);
}

function takeJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null) : parse(request, String(body), done),
  );
}
