/** A route of the admin API: a row that says what it takes, what it answers, and which part of the gateway does it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Awaitable } from '../../store/index.js';
import type { Ports } from './ports.js';
import type { Shown } from './schemas.js';

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export type Call = `${Method} /${string}`;

type Media = { readonly media: string };

interface Asked<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface RouteParts<
  Port,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType | Media,
> {
  /** One sentence, for the documents. */
  readonly says: string;
  /** Names of the query that may come several times; of others the first counts. */
  readonly many?: readonly string[];
  readonly query?: Query;
  readonly body?: Body;
  /** The schema by which the port itself checks the body. */
  readonly takes?: (port: Port) => z.ZodType;
  readonly answer: Answer;
  readonly handle: (
    port: Port,
    asked: Asked<z.output<Query>, z.output<Body>>,
  ) => Awaitable<Answer extends z.ZodType ? Shown<Answer> : unknown>;
}

export interface Route extends RouteParts<never, z.ZodObject, z.ZodType, z.ZodType | Media> {
  readonly method: Method;
  readonly path: string;
  readonly port: keyof Ports;
}

/** `call` as in `GET /api/exchanges/:id`, where `:id` is a parameter; `port` does it: without it the route is not there. */
export function route<
  Name extends keyof Ports,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType | Media,
>(call: Call, port: Name, parts: RouteParts<NonNullable<Ports[Name]>, Query, Body, Answer>): Route {
  const [method, path] = call.split(' ');
  return { ...parts, method, path, port } as unknown as Route;
}
