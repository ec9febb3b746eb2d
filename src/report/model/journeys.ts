/** The report model of journeys, the daily limit and certificates. */
import * as z from 'zod';
import { count, mark, severity, time } from './basics.js';

const step = z.strictObject({
  exchange: z.string(),
  at: time,
  stage: z.enum(['created', 'authorised', 'token', 'access', 'status', 'revoked', 'notified']),
  label: z.string(),
  operation: z.string(),
  status: z.int().nullable(),
  ok: z.boolean().describe('Answered with success, a redirect with code included.'),
  attended: z.boolean().nullable().describe('Accesses only: with a valid PSU-IP-Address.'),
  findings: z.array(mark),
});

const journey = z.strictObject({
  id: z.string(),
  kind: z.enum(['consent', 'payment']),
  resource: z.string(),
  sandbox: z.boolean().describe('One of the literal ids of the sandbox.'),
  tpp: z.string().nullable(),
  from: time,
  to: time,
  authorisation: z.enum(['implicit', 'explicit']).nullable(),
  link: z.enum(['direct', 'discovery']).nullable(),
  lastStatus: z.string().nullable(),
  reached: z.array(step.shape.stage).describe('Stages with a success, in the order of a journey.'),
  steps: z.array(step),
  omitted: count,
});

export const journeys = z.strictObject({ lanes: z.array(journey), omitted: count });

export const dailyLimit = z.strictObject({
  window: z.string(),
  rows: z.array(
    z.strictObject({
      tpp: z.string(),
      consent: z.string(),
      operation: z.string(),
      account: z.string().nullable().describe('null for the list of accounts.'),
      day: z
        .string()
        .describe(
          'YYYY-MM-DD in the time zone of the limit; of a rolling window, the day in Europe/Brussels.',
        ),
      allowed: count,
      unattended: count.describe('Accesses that were given and counted; the peak of a rolling window.'),
      attended: count.describe('Accesses that were given with the PSU’s address.'),
      refused: count.describe('Answered 429, but not by an injected fault.'),
      over: count.describe('Counted accesses above the limit.'),
    }),
  ),
  omitted: count,
  days: z
    .array(
      z.strictObject({
        day: z.iso.date(),
        most: count.describe('Highest number of counted accesses of one row on this day.'),
        allowed: count.describe('In that row.'),
        refused: count.describe('Answered 429, in all rows, but not by an injected fault.'),
      }),
    )
    .default([])
    .describe('Of all accesses, in order; those without the PSU alone.'),
});

const certificate = z.strictObject({
  fingerprint: z.string(),
  subject: z.string(),
  issuer: z.string(),
  serialNumber: z.string(),
  tpp: z.string().nullable(),
  key: z.string(),
  use: z.enum(['QWAC', 'QSealC', 'other']).default('other').describe('By its statement of type.'),
  notBefore: time,
  notAfter: time,
  daysLeft: z.int().describe('Whole days from its last use to its end; negative when it had ended.'),
  chain: z.strictObject({ trusted: z.boolean(), reason: z.string(), path: z.array(z.string()) }),
  revocation: z.string(),
  register: z
    .string()
    .exactOptional()
    .describe('The TPP’s entry in the register of authorised institutions, where one is configured.'),
  rolesHeld: z.array(z.string()),
  rolesUsed: z.array(z.string()),
  rolesMissing: z.array(z.string()),
  exchanges: count,
  first: time,
  last: time,
  findings: z.array(z.strictObject({ rule: z.string(), severity, count })),
});

export const certificates = z.strictObject({
  list: z.array(certificate),
  omitted: count,
  absent: count.describe('Exchanges on the API listener without a client certificate.'),
  notObserved: count.describe('Exchanges without a record of a certificate.'),
});
