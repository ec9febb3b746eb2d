/** What a route of the admin API is: a row that says what it takes, what it answers, and which part of the gateway does it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Awaitable } from '../../store/index.js';
import type { Ports } from './ports.js';
import type { Shown } from './schemas.js';

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** What is answered where that is no JSON. */
export interface Media {
  readonly media: string;
}

export interface Asked<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface RouteFacts<Name extends keyof Ports> {
  readonly method: Method;
  /** Parts in the form `:id` are parameters. */
  readonly path: string;
  /** What does it; without it the route is not there. */
  readonly port: Name;
  /** One sentence, for the documents. */
  readonly says: string;
  /** Names of the query that may come several times; of others the first counts. */
  readonly many?: readonly string[];
}

/** As a file of routes writes it. */
interface RouteParts<
  Name extends keyof Ports,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType | Media,
> extends RouteFacts<Name> {
  readonly query?: Query;
  readonly body?: Body;
  /** The schema by which the port itself checks the body. */
  readonly takes?: (port: NonNullable<Ports[Name]>) => z.ZodType;
  readonly answer: Answer;
  readonly handle: (
    port: NonNullable<Ports[Name]>,
    asked: Asked<z.output<Query>, z.output<Body>>,
  ) => Awaitable<Answer extends z.ZodType ? Shown<Answer> : unknown>;
}

/** As all of them are listed. */
export interface Route extends RouteFacts<keyof Ports> {
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly takes?: (port: never) => z.ZodType;
  readonly answer: z.ZodType | Media;
  readonly handle: (port: never, asked: never) => unknown;
}

export function route<
  Name extends keyof Ports,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType | Media,
>(parts: RouteParts<Name, Query, Body, Answer>): Route {
  return parts as unknown as Route;
}
