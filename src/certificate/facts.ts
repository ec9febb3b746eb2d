/** Facts of a client certificate as plain values: no key objects, nothing that depends on the time of reading. */
import * as z from 'zod';
import { OCSP_NOTE_NAMES, OCSP_VERDICT_NAMES } from './ocsp-verdicts.js';

const texts = z.array(z.string()).readonly();
const textOrNull = z.string().nullable();

/** Files hold the members in this order, which is that of `inspectCertificate`: what is read is written again as it was. */
export const certificateFacts = z.object({
  /** SHA-256 of the DER, lower-case hex without colons. */
  fingerprint256: z.string(),
  serialNumber: z.string(),
  /** RFC 4514 like, one line. */
  subject: z.string(),
  issuer: z.string(),
  /** The subject's, never the issuer's. */
  organizationIdentifier: z
    .object({
      text: z.string(),
      /** `PSD`, `VAT`, `NTR`, …; null where the text has not the form SCHEMEcc-authority-number or SCHEMEcc-number. */
      scheme: textOrNull,
      country: textOrNull,
      /** Only for scheme PSD. */
      authority: textOrNull,
      /** Everything after the last structural hyphen; may itself hold hyphens. */
      number: textOrNull,
    })
    .nullable(),
  organization: textOrNull,
  commonName: textOrNull,
  /** DNS names of the subject alternative name, lower case. */
  dnsNames: texts,
  qcCompliance: z.boolean(),
  /** `esign`, `eseal`, `web`, or the OID where it is none of them. */
  qcType: texts,
  qcSscd: z.boolean(),
  qcPds: z.array(z.object({ url: z.string(), language: z.string() })).readonly(),
  qcLimit: z.object({ currency: z.string(), amount: z.number(), exponent: z.number() }).nullable(),
  qcLegislation: texts,
  /** OIDs of all QCStatements, each once; absent in recordings of earlier versions. */
  qcStatements: texts.exactOptional(),
  /** How the PSD2 QCStatement was found encoded; all but `standard` are tolerated for the facts, not for the verdict. */
  encoding: z.enum([
    'standard',
    'flat-roles',
    'bare-statement',
    'no-roles-wrapper',
    'other-strings',
    'absent',
    'unreadable',
  ]),
  /** `role` is what the OID means (PSP_AS, PSP_PI, PSP_AI, PSP_IC, or a newer one), null where the OID is unknown. */
  roles: z.array(z.object({ oid: z.string(), name: z.string(), role: textOrNull })).readonly(),
  ncaName: textOrNull,
  ncaId: textOrNull,
  policies: texts,
  signatureAlgorithm: z.string(),
  /** null where the extension is absent. */
  keyUsage: texts.nullable(),
  /** `serverAuth`, `clientAuth`, … or OIDs; null where the extension is absent. */
  extendedKeyUsage: texts.nullable(),
  /** ISO 8601 in UTC. */
  notBefore: z.string(),
  notAfter: z.string(),
  keyType: z.enum(['rsa', 'ec', 'ed25519', 'ed448', 'other']),
  /** In bits. */
  keySize: z.number(),
  /** Name of the EC curve, null for other keys. */
  curve: textOrNull,
  /** `reason` is one sentence; `path` has the subjects from the leaf's issuer up to the anchor, as far as they were found. */
  chain: z.object({ trusted: z.boolean(), reason: z.string(), path: texts }),
  /**
   * `not-checked`: neither a CRL of the issuer nor its OCSP responder tells. `since` is an ISO 8601 time. `ocsp` is absent
   * where no responder was to be asked.
   */
  revocation: z.object({
    status: z.enum(['good', 'revoked', 'not-checked']),
    ocsp: z.enum(OCSP_VERDICT_NAMES).exactOptional(),
    since: z.string().exactOptional(),
    ocspNotes: z.array(z.enum(OCSP_NOTE_NAMES)).readonly().exactOptional(),
  }),
  /** The entry of the register of authorised institutions, in words; absent where none is configured. */
  register: z.string().exactOptional(),
  /** Problems in reading, in plain words; empty for a clean certificate. */
  problems: texts,
});

export type CertificateFacts = Readonly<z.infer<typeof certificateFacts>>;
export type StatementEncoding = CertificateFacts['encoding'];

/** The certificate of a call: its facts, `absent` (none was presented), or `not-observed` (a HAR file holds none). */
export type CertificateObservation = CertificateFacts | 'absent' | 'not-observed';
