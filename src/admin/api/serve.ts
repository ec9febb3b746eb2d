/** Serves the routes of the admin API: reads what was sent by their schemas, and writes what they answer by theirs. */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type FaultCode, SandgateError } from '../../spec/index.js';
import { createEvents } from '../live/events.js';
import { createViews } from '../live/views.js';
import type { Ports } from './ports.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';
import { check } from './schemas.js';

/** A part that the gateway does not have has no routes. */
export function addApi(server: FastifyInstance, given: Ports): void {
  const description = {
    of: async () => (await import('./openapi.js')).openApi(routes, ports),
  };
  const ports: Ports = { ...withLive(given), description };
  const routes = ROUTES.filter(({ port }) => ports[port] !== undefined);
  for (const route of routes)
    server.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => answer(reply, () => take(ports, route, request, reply)),
    });
  server.addHook('preClose', async () => {
    ports.events?.close();
    ports.views?.close();
  });
}

function withLive(ports: Ports): Ports {
  const { live, settings, clock } = ports;
  if (live === undefined) return ports;
  const views = createViews(live);
  const inForce = async () => ({
    session: live.session(),
    settings: (await settings?.current()) ?? null,
    clock: (await clock?.current()) ?? null,
  });
  return { ...ports, views, events: createEvents(live, views, inForce) };
}

async function take(
  ports: Ports,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const query = route.query === undefined ? {} : check(route.query, queryOf(route, request));
  const asked = { params: request.params, query, body: bodyOf(route, request), request, reply };
  const given = await route.handle(ports[route.port] as never, asked as never);
  if (reply.sent) return reply;
  if (route.answer instanceof z.ZodType) return route.answer.parse(given);
  reply.type(`${route.answer.media}; charset=utf-8`);
  if (given instanceof Uint8Array) return Buffer.from(given);
  return typeof given === 'string' ? given : Readable.from(given as AsyncIterable<string>);
}

/** Says so little that clients send it where nothing is asked for. */
const NO_BODY = z.strictObject({}, { error: 'this takes no body' });

/** A port that has its own schema checks by that. */
function bodyOf({ body, takes }: Route, request: FastifyRequest): unknown {
  return takes === undefined ? check(body ?? NO_BODY, request.body ?? {}) : request.body;
}

/** An empty parameter counts as absent. */
function queryOf({ many = [] }: Route, { query }: FastifyRequest): Record<string, unknown> {
  const all = Object.entries(query as Readonly<Record<string, string | readonly string[]>>);
  return Object.fromEntries(
    all
      .map(([name, given]) => [name, many.includes(name) ? [given].flat() : [given].flat()[0]])
      .filter(([, value]) => value !== '' && value !== undefined),
  );
}

const STATUS: Partial<Record<FaultCode, number>> = {
  'bank.sandbox': 409,
  'bank.shared': 409,
  'replay.none': 404,
  'exchange.unknown': 404,
  'certificate.not-seen': 404,
  'certs.emulator-only': 409,
  'live.no-journey': 404,
  'session.not-there': 404,
  'session.not-open': 409,
  'resend.unnamed': 409,
  'resend.no-call': 409,
  'resend.no-certificate': 404,
  'resend.no-emulator': 409,
  'resend.no-token': 409,
  'exchange.none-good': 404,
  'exchange.not-of-bank': 409,
  'bank.many-snapshots': 409,
  'bank.no-world': 404,
  'bank.no-snapshots': 404,
  'bank.no-snapshot': 404,
  'bank.no-consent': 404,
  'bank.no-payment': 404,
  'bank.consent-status': 409,
  'bank.payment-status': 409,
  'bank.no-psu': 404,
  'bank.no-account': 404,
  'bank.account-status': 409,
  'bank.account': 409,
  'bank.hands-full': 409,
  'weather.unknown': 404,
  'weather.known': 409,
  'weather.many': 409,
};

/** Answers of the admin API: what is asked for, or why it cannot be had, in a sentence. */
async function answer(reply: FastifyReply, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SandgateError)) throw error;
    reply.code(STATUS[error.code as FaultCode] ?? (error.kind === 'surroundings' ? 503 : 400));
    return { error: error.message };
  }
}
