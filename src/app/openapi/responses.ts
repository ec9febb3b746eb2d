/** Answers of an operation: its successes, and each status of a failure with the codes that may come with it. */
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { JSON_TYPE } from '../../exchange/index.js';
import {
  ANSWER_BODIES,
  type OperationId,
  type OperationRow,
  oauthError,
  plural,
  TOKEN_ERRORS,
  tppMessages,
  WIRE_ERRORS,
} from '../../spec/index.js';

export function responsesOf(id: OperationId, row: OperationRow): ZodOpenApiOperationObject['responses'] {
  const body = ANSWER_BODIES[id];
  const failures = id === 'oauth.token' ? TOKEN_FAILURES : row.listener === 'psu' ? {} : FAILURES;
  const successes = row.success.map((status): [string, object] => {
    if (status === 302)
      return ['302', { description: 'To the redirect URI, with code and state, or with the error.' }];
    if (row.listener === 'psu')
      return [
        String(status),
        { description: 'A page of the bank.', content: { 'text/html': { schema: z.string() } } },
      ];
    if (status === 204) return ['204', { description: row.summary }];
    return [
      String(status),
      { description: row.summary, content: { [JSON_TYPE]: { schema: body ?? z.looseObject({}) } } },
    ];
  });
  return { ...Object.fromEntries(successes), ...failures };
}

type Failures = Record<`${1 | 2 | 3 | 4 | 5}${string}`, { id: string; description: string; content: object }>;

const FAILURES = failuresByStatus();

function failuresByStatus(): Failures {
  const codes = new Map<number, string[]>();
  for (const [code, { statuses }] of Object.entries(WIRE_ERRORS))
    for (const status of statuses) codes.set(status, [...(codes.get(status) ?? []), code]);
  return failuresOf(codes, tppMessages);
}

const TOKEN_FAILURES = failuresOf(
  Object.entries(TOKEN_ERRORS).reduce(
    (codes, [code, status]) => codes.set(status, [...(codes.get(status) ?? []), code]),
    new Map<number, string[]>(),
  ),
  oauthError,
);

function failuresOf(codes: ReadonlyMap<number, readonly string[]>, schema: z.ZodType): Failures {
  return Object.fromEntries(
    [...codes]
      .sort(([one], [other]) => one - other)
      .map(([status, names]) => [
        status,
        {
          // One for all operations, under `components`.
          id: `${schema === tppMessages ? 'Failure' : 'TokenFailure'}${status}`,
          description: `${plural(names.length, 'Code', 'Codes')}: ${names.join(', ')}.`,
          content: { [JSON_TYPE]: { schema } },
        },
      ]),
  );
}
