/** The admin listener: plain HTTP for the operator, separate from the traffic. */
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import type { BankPort } from './bank/port.js';
import { addBankRoutes } from './bank/routes.js';
import { addBudgetRoutes, type BudgetsPort } from './budgets.js';
import { addClockRoutes, type ClockPort } from './clock.js';
import type { DashboardPort } from './dashboard/port.js';
import { addDashboardRoutes } from './dashboard/routes.js';
import { createGuard } from './guard.js';
import { addHealthRoutes, OPEN_PATHS, type ReadinessCheck } from './health.js';
import type { Metrics } from './metrics/create-metrics.js';
import { addMetricsRoute } from './metrics/route.js';
import { addReplayRoute, type ReplayPort } from './replay.js';
import { addSettingsRoutes, type SettingsPort } from './settings.js';

export interface AdminParts {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Asked of every path but the health checks; a listener without it must be on loopback. */
  readonly token: string | undefined;
  readonly checks: readonly ReadinessCheck[];
  /** What may change while the gateway runs. */
  readonly settings?: SettingsPort;
  /** The time by which calls are judged and answered. */
  readonly clock?: ClockPort;
  /** What the living bank remembers. */
  readonly bank?: BankPort;
  /** What is left of the daily limit. */
  readonly budgets?: BudgetsPort;
  /** What became of the recording that answers; absent where none does. */
  readonly replay?: ReplayPort;
  readonly metrics?: Metrics;
  readonly dashboard?: DashboardPort;
  /** Turns what went wrong with listening into an error for the user. */
  readonly onListenError: (cause: NodeJS.ErrnoException) => Error;
}

export interface Admin {
  readonly port: number;
  readonly close: (grace?: number) => Promise<void>;
}

export async function openAdmin(parts: AdminParts): Promise<Admin> {
  const server = buildAdmin(parts);
  try {
    await server.listen({ host: parts.host, port: parts.port });
  } catch (cause) {
    await server.close();
    throw parts.onListenError(cause as NodeJS.ErrnoException);
  }
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => server.close(),
  };
}

function noSchemas(): never {
  throw new Error('A route of the admin listener has a schema.');
}

/** The listener before it listens; tests inject requests. */
export function buildAdmin({
  host,
  token,
  checks,
  settings,
  clock,
  bank,
  budgets,
  replay,
  metrics,
  dashboard,
}: Omit<AdminParts, 'port' | 'onListenError'>): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
    // No route has a schema: the compilers of schemas would be loaded at every start for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  const guard = createGuard({ host, token });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    const path = request.url.split('?', 1)[0] ?? '';
    const denied = guard(request.headers, OPEN_PATHS.has(path));
    if (denied === null) return;
    if (denied.status === 401)
      reply.header('WWW-Authenticate', ['Bearer', 'Basic realm="Sandgate", charset="UTF-8"']);
    return reply.code(denied.status).send({ error: denied.text });
  });
  // A form of another site can send plain text; what changes something is JSON.
  server.removeContentTypeParser('text/plain');
  server.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `There is no ${request.method} ${request.url.split('?', 1)[0]} here.` }),
  );
  server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply
      .code(status)
      .send({ error: status < 500 ? error.message : 'The admin listener could not handle the request.' });
  });
  addHealthRoutes(server, checks);
  if (settings !== undefined) addSettingsRoutes(server, settings);
  if (clock !== undefined) addClockRoutes(server, clock);
  if (bank !== undefined) addBankRoutes(server, bank);
  if (budgets !== undefined) addBudgetRoutes(server, budgets);
  addReplayRoute(server, replay);
  if (metrics !== undefined) addMetricsRoute(server, metrics);
  if (dashboard !== undefined) addDashboardRoutes(server, { ...dashboard, checks, settings, budgets });
  return server;
}
