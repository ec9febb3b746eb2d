/** Reads the plan of a rehearsal: how the application is started, driven and asked what it believes. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { jsonPath, parseJsonText } from '../exchange/index.js';
import { readText } from '../files/index.js';
import { inPlainWords, SandgateError, slipOf } from '../spec/index.js';
import { CELLS, FAMILIES } from './cells/index.js';
import { VERDICTS } from './result.js';

const LONGEST = 4_096;
const text = z.string().min(1).max(LONGEST);
const address = z.string().regex(/^https?:\/\/[^\s]+$/, {
  error: 'an address is expected, such as http://localhost:3000/',
});
const call = z.string().regex(/^(?:GET|POST|PUT|PATCH|DELETE) https?:\/\/[^\s]+$/, {
  error: 'a method and an address are expected, such as POST http://localhost:3000/sync',
});
const request = z.strictObject({
  request: call,
  headers: z.record(text, text).optional(),
  json: z.unknown().optional(),
});

/** How a journey's end is told: each member that is given must hold. */
const mark = z
  .strictObject({ url: text.optional(), text: text.optional(), request: call.optional() })
  .refine((given) => Object.keys(given).length > 0, { error: 'one of url, text and request is expected' });

/** One page of the application on the way, for the browser driver; an optional one is left out where there is nothing to click. */
const step = z.strictObject({
  url: text,
  fill: z.record(text, z.string()).optional(),
  click: text.optional(),
  wait: text.optional(),
  optional: z.literal(true).optional(),
});

const drive = z.union([z.literal('follow'), z.literal('browser'), z.strictObject({ command: text })], {
  error: '"follow", "browser" or { "command": "…" } is expected',
});

const journey = z.strictObject({
  begin: call,
  drive,
  steps: z.array(step).max(100).optional(),
  done: mark,
  failed: mark.optional(),
});

const oneOf = (known: readonly string[], kind: string) =>
  z.string().superRefine((given, context) => {
    if (known.includes(given)) return;
    const near = slipOf(given, known);
    const advice = near === '' ? 'sandgate rehearse --list lists them' : `the nearest is “${near}”`;
    context.addIssue({ code: 'custom', message: `there is no ${kind} “${given.slice(0, 100)}”; ${advice}` });
  });

const cell = oneOf(
  CELLS.map(({ id }) => id),
  'cell',
);

const planSchema = z.strictObject({
  app: z.strictObject({
    start: z.strictObject({ command: text, ready: address }).optional(),
    reset: z
      .union([z.literal('restart'), request], { error: '"restart" or { "request": "…" } is expected' })
      .optional(),
    link: journey,
    pay: journey.optional(),
    sync: request.optional(),
    belief: request.optional(),
    clock: request.optional(),
  }),
  tpp: text.optional(),
  env: z.record(text, z.string()).optional(),
  listen: text.optional(),
  psuListen: text.optional(),
  families: z.array(oneOf(FAMILIES, 'family')).optional(),
  cells: z.array(cell).optional(),
  expect: z.record(cell, oneOf(VERDICTS, 'verdict')).optional(),
  seed: z.int().min(0).max(4_294_967_295).optional(),
  browser: z.strictObject({ executable: text.optional(), args: z.array(text).optional() }).optional(),
});

export type PlannedRequest = z.infer<typeof request>;
export type Journey = z.infer<typeof journey>;
export type Mark = z.infer<typeof mark>;
export interface Plan extends z.infer<typeof planSchema> {
  /** The name that the user gave. */
  readonly file: string;
  /** Its commands run here. */
  readonly folder: string;
}

/** @throws SandgateError that names file, place and the nearest known name of each mistake */
export function readPlan(file: string): Plan {
  const parsed = planSchema.safeParse(parseJsonText(readText(file), file), {
    error: inPlainWords,
    jitless: true,
  });
  if (parsed.success) return { ...parsed.data, file, folder: dirname(resolve(file)) };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${jsonPath(path)}: ${message}`,
  );
  throw new SandgateError('rehearsal.plan', { file, problems: [...new Set(problems)].join('; ') });
}
