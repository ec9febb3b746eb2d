/** A journey as it is shown: the life of one consent or payment. */
import * as z from 'zod';
import { count, named, type Shown, severity, time } from '../api/schemas.js';
import { budget } from '../budget.js';
import { LINKS, STEPS } from './chain.js';
import { OUTCOMES } from './touch.js';

const step = z.object({
  step: z.enum(STEPS),
  at: time.describe('Of the newest of them.'),
  exchange: z
    .string()
    .nullable()
    .describe('The newest of them; null: no call did it, but the bank, the PSU or the time.'),
  outcome: z.enum(OUTCOMES),
  count: count.describe('How many one after the other came to the same.'),
  worst: severity.nullable(),
});

const link = z.object({
  link: z.enum(LINKS),
  state: z.enum(['ok', 'broken', 'open']).describe('`open`: not used yet.'),
  exchange: z.string().optional().describe('Where it broke.'),
  rule: z.string().nullable().optional(),
  text: z.string().optional().describe('What was wrong.'),
});

export const journey = named(
  'Journey',
  z.object({
    id: z
      .string()
      .describe(
        'That of the consent or payment; a literal id of the sandbox that came again has `~2` behind it.',
      ),
    kind: z.enum(['consent', 'payment']),
    resource: z.string().nullable().describe('Its id; null where its creation failed.'),
    tpp: z.string().nullable(),
    psu: z.string().nullable(),
    from: time,
    to: time,
    status: z.string().nullable().describe('As the bank, or its answers, say it.'),
    ended: z.boolean(),
    steps: z.array(step),
    omitted: count.describe('Steps that are not listed.'),
    next: z.enum(STEPS).nullable().describe('The step that is expected next.'),
    worst: severity.nullable(),
    chain: z.array(link),
    broken: z.enum(LINKS).nullable(),
    token: z.object({ expiresAt: time, expired: z.boolean() }).nullable(),
    budget: budget.optional().describe('The daily limit of which least is left.'),
    isPartial: z
      .boolean()
      .optional()
      .describe('More calls come than are looked at: of its steps some are missing until it is quieter.'),
  }),
);

export type Journey = Shown<typeof journey>;
