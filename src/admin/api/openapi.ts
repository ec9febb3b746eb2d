/** The description of the admin API, OpenAPI 3.1, made of the very schemas by which it reads and writes. */
import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { JSON_TYPE } from '../../exchange/index.js';
import type { Ports } from './ports.js';
import type { Route } from './route.js';
import { failure } from './schemas.js';

export function openApi(routes: readonly Route[], ports: Ports): { readonly openapi: string } {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, ports) };
  }
  return createDocument({
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
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  });
}

function operationOf(route: Route, ports: Ports): ZodOpenApiOperationObject {
  const { method, path, query, answer } = route;
  const body = route.body ?? route.takes?.(ports[route.port] as never);
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, z.string()] as const);
  return {
    // `getApiExchangesId` of `GET /api/exchanges/:id`.
    operationId:
      method.toLowerCase() + path.replace(/[/:.-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: route.says,
    requestParams: { path: z.object(Object.fromEntries(names)), query: query ?? z.object({}) },
    ...(body === undefined ? {} : { requestBody: { content: { [JSON_TYPE]: { schema: body } } } }),
    responses: {
      '200': {
        description: 'Done, or as it is.',
        content:
          answer instanceof z.ZodType
            ? { [JSON_TYPE]: { schema: answer } }
            : { [answer.media]: { schema: z.string() } },
      },
      default: {
        description: 'Why it cannot be had, or was not done.',
        content: { [JSON_TYPE]: { schema: failure } },
      },
    },
  };
}
