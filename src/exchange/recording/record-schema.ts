/** Schemas of the parts of an exchange that HAR and cassette share. */
import * as z from 'zod';
import type { CertificateFacts } from '../../certificate/index.js';
import { ENDS, type Exchange, FAULT_KINDS, type Fault, type Injection, type TlsFacts } from '../exchange.js';
import { ANSWER_SOURCES } from '../message.js';
import { placeFrom } from '../place.js';
import type { StepNote } from './session-note.js';

const texts = z.array(z.string());

export const tlsFacts = z.object({
  version: z.string(),
  cipher: z.string(),
  resumed: z.boolean(),
}) satisfies z.ZodType<TlsFacts>;

export const fault = z.object({ kind: z.enum(FAULT_KINDS), message: z.string() }) satisfies z.ZodType<Fault>;

export const injection = z.object({
  fault: z.string(),
  kind: z.string(),
  did: z.int().nullable().exactOptional(),
  ms: z.number().min(0).exactOptional(),
  end: z.enum(ENDS).exactOptional(),
  bytes: z.int().min(0).exactOptional(),
}) satisfies z.ZodType<Injection>;

export const answerSource = z.enum(ANSWER_SOURCES);
export const listenerName = z.enum(['api', 'psu', 'callback']);

const organizationIdentifier = z.object({
  text: z.string(),
  scheme: z.string().nullable(),
  country: z.string().nullable(),
  authority: z.string().nullable(),
  number: z.string().nullable(),
});

/** What is read is written again in this order, which is that of `inspectCertificate`: the bytes stay the same. */
export const certificateFacts = z.object({
  fingerprint256: z.string(),
  serialNumber: z.string(),
  subject: z.string(),
  issuer: z.string(),
  organizationIdentifier: organizationIdentifier.nullable(),
  organization: z.string().nullable(),
  commonName: z.string().nullable(),
  dnsNames: texts,
  qcCompliance: z.boolean(),
  qcType: texts,
  qcSscd: z.boolean(),
  qcPds: z.array(z.object({ url: z.string(), language: z.string() })),
  qcLimit: z.object({ currency: z.string(), amount: z.number(), exponent: z.number() }).nullable(),
  qcLegislation: texts,
  qcStatements: texts.exactOptional(),
  encoding: z.enum([
    'standard',
    'flat-roles',
    'bare-statement',
    'no-roles-wrapper',
    'other-strings',
    'absent',
    'unreadable',
  ]),
  roles: z.array(z.object({ oid: z.string(), name: z.string(), role: z.string().nullable() })),
  ncaName: z.string().nullable(),
  ncaId: z.string().nullable(),
  policies: texts,
  signatureAlgorithm: z.string(),
  keyUsage: texts.nullable(),
  extendedKeyUsage: texts.nullable(),
  notBefore: z.string(),
  notAfter: z.string(),
  keyType: z.enum(['rsa', 'ec', 'ed25519', 'ed448', 'other']),
  keySize: z.number(),
  curve: z.string().nullable(),
  chain: z.object({ trusted: z.boolean(), reason: z.string(), path: texts }),
  revocation: z.object({
    status: z.enum(['good', 'revoked', 'not-checked']),
    since: z.string().exactOptional(),
  }),
  problems: texts,
}) satisfies z.ZodType<CertificateFacts>;

export const VERDICTS = ['complied', 'violated', 'not-observed'] as const;
export const verdicts = z.record(z.string(), z.enum(VERDICTS));
export type FileVerdicts = Readonly<z.infer<typeof verdicts>>;

export const finding = z.object({
  rule: z.string(),
  severity: z.enum(['must', 'should', 'note']),
  judges: z.enum(['tpp', 'aspsp']),
  place: z.string().transform(placeFrom),
  expected: z.string(),
  actual: z.string().exactOptional(),
  waived: z.string().exactOptional(),
});
export type FileFinding = Readonly<z.infer<typeof finding>>;

/** An exchange as a file holds it, with what was judged of it where the file says so. */
export interface FileRecord {
  readonly exchange: Exchange;
  /** Recorded in front of it, behind the exchange before. */
  readonly steps?: readonly StepNote[];
  readonly verdicts?: FileVerdicts;
  readonly findings?: readonly FileFinding[];
}
