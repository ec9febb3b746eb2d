/** Serves the routes of the admin API: reads what was sent by their schemas, and writes what they answer by theirs. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { answer } from '../answer.js';
import { createEvents } from '../live/events.js';
import { createViews } from '../live/views.js';
import { createMatch, type Matched } from './match.js';
import { openApi } from './openapi.js';
import type { Ports } from './ports.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';
import { check } from './schemas.js';

export interface Api {
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Ends what goes on by itself. */
  readonly close: () => void;
}

/** Only routes whose port is there are. */
export function createApi(given: Ports): Api {
  const description = { of: () => openApi(routes, ports) };
  const ports: Ports = { ...withLive(given), description };
  const routes = ROUTES.filter(({ port }) => ports[port] !== undefined);
  const match = createMatch(routes);
  return {
    serve: async (request, reply) => {
      const [path = ''] = request.url.split('?', 1);
      const found = match(request.method === 'HEAD' ? 'GET' : request.method, path);
      if (found === null) return reply.callNotFound();
      return answer(reply, () => take(ports, found, request, reply));
    },
    close: () => {
      ports.events?.close();
      ports.views?.close();
    },
  };
}

function withLive(ports: Ports): Ports {
  const { live, settings, clock } = ports;
  if (live === undefined) return ports;
  const views = createViews(live);
  const standing = async () => ({
    session: live.session(),
    settings: (await settings?.current()) ?? null,
    clock: (await clock?.current()) ?? null,
  });
  return { ...ports, views, events: createEvents(live, views, standing) };
}

async function take(
  ports: Ports,
  { route, params }: Matched,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const query = route.query === undefined ? {} : check(route.query, queryOf(route, request));
  const body = bodyOf(route, request);
  const asked = { params, query, body, request, reply };
  const given = await route.handle(ports[route.port] as never, asked as never);
  if (reply.sent) return reply;
  if (route.answer instanceof z.ZodType) return route.answer.parse(given);
  reply.type(`${route.answer.media}; charset=utf-8`);
  return typeof given === 'string' ? given : Readable.from(given as AsyncIterable<string>);
}

/** Says so little that clients send it where nothing is asked for. */
const NO_BODY = z.strictObject({}, { error: 'this takes no body' });

/** A port that has its own schema checks by that. */
function bodyOf({ body, takes }: Route, request: FastifyRequest): unknown {
  return takes === undefined ? check(body ?? NO_BODY, request.body ?? {}) : request.body;
}

/** What is empty was not filled in. */
function queryOf({ many = [] }: Route, { query }: FastifyRequest): Record<string, unknown> {
  const all = Object.entries(query as Readonly<Record<string, string | readonly string[]>>);
  return Object.fromEntries(
    all
      .map(([name, given]) => [name, many.includes(name) ? [given].flat() : [given].flat()[0]])
      .filter(([, value]) => value !== '' && value !== undefined),
  );
}
