/** The recipe of a report: what is needed to make it again from the same recording. */
import * as z from 'zod';
import { isTimeZone } from '../../ledger/index.js';
import { count } from './basics.js';

const waiver = z.strictObject({
  rule: z.string(),
  match: z
    .strictObject({
      operation: z.string().optional(),
      tpp: z.string().optional(),
      path: z.string().optional(),
    })
    .optional(),
  reason: z.string(),
  until: z.string(),
});

export const judging = z.strictObject({
  profile: z.enum(['sandbox', 'production']),
  dailyWindow: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('calendar-day'),
      timeZone: z.string().refine(isTimeZone, 'a time zone is expected'),
    }),
    z.strictObject({ kind: z.literal('rolling') }),
  ]),
  blockedOrganisations: z.array(z.string()),
  notificationAllow: z
    .array(z.string())
    .nullable()
    .describe('null: of traffic of others, where any host is.'),
  bankOrigins: z.array(z.string()),
  segment: z.string(),
  overrides: z.record(z.string(), z.enum(['must', 'should', 'note', 'off'])),
  waivers: z.array(waiver),
});

export const caps = z.strictObject({
  occurrences: count.describe('Listed of one rule.'),
  appendix: count,
  lanes: count,
  steps: count.describe('Of one journey.'),
  rows: count.describe('Of any other table that grows with the traffic.'),
});

export const recipe = z.strictObject({
  rejudged: z.boolean(),
  judging,
  judgings: z
    .array(judging)
    .describe('Of a session whose settings changed, those of each period in order; `judging` is the last.')
    .optional(),
  host: z.string().nullable().describe('Only calls to this host were read, of a file.'),
  earlier: z
    .strictObject({ sessions: z.array(z.string()), leftAside: count })
    .describe('Earlier sessions whose consents and tokens were known, and how many were left aside.'),
  unfinished: z
    .array(z.string())
    .describe(
      'Ids of exchanges that had been begun, and of which no end was recorded, when the report was made.',
    )
    .optional(),
  caps,
});
