/** The description of the admin API, OpenAPI 3.1, made of the very schemas by which it reads and writes. */
import * as z from 'zod';
import { JSON_TYPE } from '../../exchange/index.js';
import type { Ports } from './ports.js';
import type { Route } from './route.js';
import { failure, namedSchemas } from './schemas.js';

type Json = Record<string, unknown>;
type Names = z.core.$ZodRegistry<{ readonly id: string }>;

export function openApi(routes: readonly Route[], ports: Ports): Json {
  const written = namesOf(routes, ({ answer }) => (answer instanceof z.ZodType ? answer : undefined), '');
  const read = namesOf(routes, (route) => bodyOf(route, ports), 'Asked');
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(route, ports, written, read);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandgate admin API',
      version: '1',
      description:
        'What an operator sees of a gateway, and does to it. Everything shown was redacted before it was stored.',
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ...schemasOf(read, 'input'), ...schemasOf(written, 'output') },
    },
  };
}

const bodyOf = ({ body, takes, port }: Route, ports: Ports): z.ZodType | undefined =>
  body ?? takes?.(ports[port] as never);

/** `getApiExchangesId` of `GET /api/exchanges/:id`. */
const idOf = ({ method, path }: Route): string =>
  method.toLowerCase() + path.replace(/[/:.-]+(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A schema without a name of its own is called after its operation. */
function namesOf(
  routes: readonly Route[],
  schemaOf: (route: Route) => z.ZodType | undefined,
  suffix: string,
): Names {
  const names: Names = z.registry<{ readonly id: string }>();
  for (const route of routes) {
    const schema = schemaOf(route);
    if (schema !== undefined) names.add(schema, { id: idOf(route) + suffix });
  }
  for (const [schema, { id }] of namedSchemas()) names.add(schema, { id });
  return names;
}

function operationOf(route: Route, ports: Ports, written: Names, read: Names): Json {
  const { answer } = route;
  const body = bodyOf(route, ports);
  const content =
    answer instanceof z.ZodType
      ? { [JSON_TYPE]: { schema: reference(written, answer) } }
      : { [answer.media]: { schema: { type: 'string' } } };
  return {
    operationId: idOf(route),
    summary: route.says,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body === undefined
      ? {}
      : { requestBody: { content: { [JSON_TYPE]: { schema: reference(read, body) } } } }),
    responses: {
      '200': { description: 'Done, or as it is.', content },
      default: {
        description: 'Why it cannot be had, or was not done.',
        content: { [JSON_TYPE]: { schema: reference(written, failure) } },
      },
    },
  };
}

const uri = (id: string): string => `#/components/schemas/${id}`;
const reference = (names: Names, schema: z.ZodType): Json => ({ $ref: uri(names.get(schema)?.id ?? '') });

function schemasOf(names: Names, io: 'input' | 'output'): Json {
  const { schemas } = z.toJSONSchema(names, { uri, io, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema)]));
}

function pathParameters({ path }: Route): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Json[] {
  const shape: Readonly<Record<string, z.ZodType>> = query?.shape ?? {};
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  }));
}

function tidy({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}
