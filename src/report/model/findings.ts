/** Findings grouped by rule, and the exchanges that they cite. */
import * as z from 'zod';
import { count, judges, severity, time } from './basics.js';

export const clause = z.strictObject({
  id: z.string(),
  section: z.string(),
  text: z.string(),
  link: z.string().nullable().describe('null: the specification has no public address.'),
});

export const source = z.strictObject({
  tag: z.string(),
  title: z.string(),
  place: z.string().nullable(),
  link: z.string().nullable(),
});

export const occurrence = z.strictObject({
  id: z.string().describe('Unique in the report and the same each time: an anchor.'),
  exchange: z.string().describe('Its excerpt stands in `exchanges` under this id.'),
  at: time,
  tpp: z.string().nullable(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  requestId: z.string().nullable(),
  status: z.int().nullable(),
  place: z.string(),
  expected: z.string(),
  actual: z.string().nullable(),
  waived: z.string().nullable().describe('The reason of the waiver that covers it.'),
});

export const findingGroup = z.strictObject({
  rule: z.string(),
  severity,
  judges,
  statement: z.string(),
  clauses: z.array(clause),
  sources: z.array(source),
  why: z.string(),
  fix: z.string(),
  examples: z.strictObject({ complies: z.string(), violates: z.string() }),
  count,
  waived: count,
  operations: z.array(
    z.strictObject({ operation: z.string().nullable(), place: z.string(), count, waived: count }),
  ),
  occurrences: z.array(occurrence),
  omitted: count.describe('Findings beyond those listed.'),
});

/** Redacted; long bodies are cut, which `note` says. */
export const excerpt = z.strictObject({
  startLine: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  note: z.string().nullable(),
});

export const citedExchange = z.strictObject({
  id: z.string(),
  request: excerpt,
  answer: excerpt.nullable().describe('null where none was given.'),
  fault: z.string().nullable(),
  curl: z.string().describe('A line for a shell that sends the request again.'),
});
