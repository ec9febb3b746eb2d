/** A certificate as the API shows it: of the gateway, of the folder of certificates, or of a TPP. */
import * as z from 'zod';
import { CALENDAR_USES } from '../certificate/index.js';
import { count, named, type Shown, time } from './api/schemas.js';

export const certificate = named(
  'Certificate',
  z.object({
    name: z.string().nullable().describe('Of its files in the folder of certificates.'),
    use: z
      .enum(['test', 'ca', 'server', 'bank', 'tpp'])
      .describe('`bank`: shown to it; `tpp`: seen in calls alone.'),
    subject: z.string(),
    tpp: z.string().nullable(),
    fingerprint: z.string(),
    notAfter: time,
    daysLeft: z.int().describe('Negative: it has ended.'),
    flaw: z.string().nullable().describe('What is wrong with it on purpose.'),
    canResend: z.boolean(),
    exchanges: count.describe('Of the newest 10,000 of the session, and those since, that showed it.'),
    last: time.nullable(),
    exchange: z.string().nullable().describe('The newest of them.'),
  }),
);

export const calendarRow = named(
  'CalendarRow',
  z.object({
    use: z.enum(CALENDAR_USES).describe('`bank`: shown to it; `tpp`: shown by a TPP.'),
    what: z.string(),
    subject: z.string(),
    organisation: z.string().nullable().describe('The organizationIdentifier.'),
    fingerprint: z.string(),
    notBefore: time.nullable(),
    notAfter: time,
    problems: z.array(z.string()).describe('Why a bank refuses it whatever its dates are.'),
    daysLeft: z.int().describe('Negative: it has ended.'),
    stops: z.string().describe('What stops when it ends.'),
    next: z.string().nullable().describe('Fingerprint of the one that the same organisation goes on with.'),
    gapDays: count.describe('Days without a certificate between the two.'),
  }),
);

export type ShownCertificate = Shown<typeof certificate>;
/** A certificate read from a file, before any call shows it. */
export type CertificateFile = Omit<ShownCertificate, 'daysLeft' | 'exchanges' | 'last' | 'exchange'>;
