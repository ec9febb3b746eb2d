/** A certificate as the API shows it: of the gateway, of the folder of certificates, or of a TPP. */
import * as z from 'zod';
import {
  CALENDAR_USES,
  type CertificateFacts,
  type CertificateNode,
  certificateTree,
} from '../certificate/index.js';
import { ruleText } from '../report/index.js';
import {
  type JudgeOptions,
  judgeCertificate,
  mildest,
  type RuleVerdict,
  type Violation,
} from '../rules/index.js';
import { count, named, type Shown, severity, time } from './api/schemas.js';

export const certificate = named(
  'Certificate',
  z.object({
    name: z.string().nullable().describe('Of its files in the folder of certificates.'),
    use: z
      .enum(['test', 'ca', 'server', 'bank', 'tpp'])
      .describe('`bank`: shown to it; `tpp`: seen in calls alone.'),
    subject: z.string(),
    organisation: z.string().nullable().describe('Its name, of the subject.'),
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

const text = z.string().max(64);
/** `sandgate certs issue` has options of the same names. */
export const wantedCertificate = z.strictObject({
  name: text,
  roles: text.default('PI,AI,IC').describe('Any of PI, AI, IC and AS; may be empty.'),
  organisation: text.default('Test TPP'),
  number: text.default('0123456789').describe('Its authorisation number.'),
  country: text.default('BE'),
  nca: text.default('NBB'),
  notBefore: text.optional().describe('A date; yesterday where absent.'),
  notAfter: text.optional(),
  days: text.optional().describe('Instead of `notAfter`; 365 where both are absent.'),
  keyType: z.enum(['rsa-2048', 'rsa-3072', 'ec-p256', 'ec-p384']).default('rsa-2048'),
  qcType: z.enum(['web', 'eseal', 'esign', 'none']).default('web'),
  encoding: z
    .enum(['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper', 'other-strings', 'absent'])
    .default('standard'),
  format: z.enum(['zip', 'p12', 'pem']).default('zip'),
  passphrase: z.string().max(200).default('').describe('Of the PKCS#12 file.'),
});
export type WantedCertificate = z.output<typeof wantedCertificate>;

const fault = z.object({
  rule: z.string(),
  severity,
  statement: z.string(),
  expected: z.string(),
  actual: z.string().optional().describe('Absent where nothing stood there.'),
  fix: z.string(),
  says: z.array(z.string()).describe('The clauses and standards that say so.'),
});

const part = named(
  'CertificatePart',
  z.object({
    term: z.string(),
    text: z.string(),
    faults: z.array(fault).describe('What rules found wrong with it.'),
    get parts() {
      return z.array(part);
    },
  }),
);

export const decoded = named(
  'DecodedCertificate',
  z.object({ subject: z.string(), faults: count, parts: z.array(part) }),
);
export type ShownPart = Shown<typeof part>;
export type DecodedCertificate = Shown<typeof decoded>;

/** Its parts with what is wrong with each. `now` in epoch ms. */
export function decodeCertificate(
  facts: CertificateFacts,
  { profile, blockedOrganisations }: Pick<JudgeOptions, 'profile' | 'blockedOrganisations'>,
  now: number,
): DecodedCertificate {
  const faults = judgeCertificate(facts, profile, now, blockedOrganisations).flatMap((judged) =>
    judged.violations.map((violation) => [violation.place, faultOf(judged, violation)] as const),
  );
  const shown = ({ term, text, place, parts }: CertificateNode): ShownPart => ({
    term,
    text,
    faults: faults.filter(([found]) => found === `certificate ${place}`).map(([, one]) => one),
    parts: parts.map(shown),
  });
  return { subject: facts.subject, faults: faults.length, parts: certificateTree(facts, now).map(shown) };
}

function faultOf({ rule: { id }, severity }: RuleVerdict, { expected, actual, atMost }: Violation) {
  const { statement, fix, clauses, sources } = ruleText(id);
  return {
    ...{ rule: id, severity: mildest(severity, atMost), statement, expected, fix },
    ...(actual === undefined ? {} : { actual }),
    says: [
      ...clauses.map(({ section, text }) => `${section}: ${text}`),
      ...sources.map(({ title, place }) => (place === null ? title : `${title}, ${place}`)),
    ],
  };
}
