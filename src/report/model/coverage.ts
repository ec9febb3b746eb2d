/** What of the interface was exercised, and what was not. */
import * as z from 'zod';
import { count, judges, severity, tally } from './basics.js';

export const coverage = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        operation: z.string(),
        group: z.string(),
        method: z.string(),
        path: z.string(),
        summary: z.string(),
        calls: count,
        outcomes: z.strictObject({
          success: count,
          refused: count.describe('Refused by the gateway in stance enforce.'),
          clientError: count.describe('Other 4xx.'),
          serverError: count,
          none: count.describe('No answer.'),
        }),
        statuses: z.array(tally),
      }),
    )
    .describe('Every operation of the specification, called or not.'),
  unknownCalls: count.describe('Calls of no known operation; a connection that failed is none.'),
  sandboxIds: z.array(
    z.strictObject({
      kind: z.enum(['consent', 'payment', 'authorisation', 'code']),
      id: z.string(),
      meaning: z.string(),
      count,
    }),
  ),
  statuses: z.array(
    z.strictObject({
      kind: z.enum(['consent', 'payment', 'authorisation']),
      status: z.string(),
      count: count.describe('Answers that told it.'),
    }),
  ),
  scenarios: z.array(z.strictObject({ scenario: z.string(), meaning: z.string(), count })),
  authorisation: z
    .strictObject({ implicit: count, explicit: count })
    .describe('Creations by how they are authorised.'),
  links: z.strictObject({ direct: count, discovery: count }).describe('scaOAuth links by what they held.'),
  rules: z
    .array(
      z.strictObject({
        rule: z.string(),
        statement: z.string(),
        judges,
        severity: z.enum([...severity.options, 'off']),
        outcome: z.enum(['never-exercised', 'not-observed', 'violated', 'waived', 'complied', 'off']),
        complied: count,
        violated: count,
        notObserved: count,
      }),
    )
    .describe('Never exercised first, then not observed, violated, waived, complied, off.'),
});
