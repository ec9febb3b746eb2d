/** What a client certificate says, as plain values: no key objects, nothing that depends on the time of reading. */

/** How the PSD2 QCStatement was found encoded; all but `standard` are tolerated for the facts, not for the verdict. */
export type StatementEncoding =
  | 'standard'
  | 'flat-roles'
  | 'bare-statement'
  | 'no-roles-wrapper'
  | 'other-strings'
  | 'absent'
  | 'unreadable';

export interface OrganizationIdentifier {
  /** The text in the subject (2.5.4.97). */
  readonly text: string;
  /** `PSD`, `VAT`, `NTR`, …; null where the text has not the form SCHEMEcc-authority-number or SCHEMEcc-number. */
  readonly scheme: string | null;
  readonly country: string | null;
  /** Only for scheme PSD. */
  readonly authority: string | null;
  /** Everything after the last structural hyphen; may itself hold hyphens. */
  readonly number: string | null;
}

export interface RoleOfPsp {
  readonly oid: string;
  readonly name: string;
  /** The role that the OID means (PSP_AS, PSP_PI, PSP_AI, PSP_IC, or a newer one), null where the OID is unknown. */
  readonly role: string | null;
}

export interface ChainFacts {
  readonly trusted: boolean;
  /** One sentence: by which anchor, or why not. */
  readonly reason: string;
  /** Subjects from the leaf's issuer up to the anchor, as far as they were found. */
  readonly path: readonly string[];
}

export interface RevocationFacts {
  /** `not-checked`: no CRL of the issuer is configured. */
  readonly status: 'good' | 'revoked' | 'not-checked';
  /** ISO 8601; only where revoked. */
  readonly since?: string;
}

export interface CertificateFacts {
  /** SHA-256 of the DER, lower-case hex without colons. */
  readonly fingerprint256: string;
  readonly serialNumber: string;
  /** RFC 4514 like, one line. */
  readonly subject: string;
  readonly issuer: string;
  /** The subject's, never the issuer's. */
  readonly organizationIdentifier: OrganizationIdentifier | null;
  readonly organization: string | null;
  readonly commonName: string | null;
  /** DNS names of the subject alternative name, lower case. */
  readonly dnsNames: readonly string[];
  readonly encoding: StatementEncoding;
  readonly roles: readonly RoleOfPsp[];
  readonly ncaName: string | null;
  readonly ncaId: string | null;
  readonly qcCompliance: boolean;
  /** `esign`, `eseal`, `web`, or the OID where it is none of them. */
  readonly qcType: readonly string[];
  readonly qcSscd: boolean;
  readonly qcPds: readonly { readonly url: string; readonly language: string }[];
  readonly qcLimit: { readonly currency: string; readonly amount: number; readonly exponent: number } | null;
  readonly qcLegislation: readonly string[];
  /** OIDs of all QCStatements, each once; absent in recordings of earlier versions. */
  readonly qcStatements?: readonly string[];
  readonly policies: readonly string[];
  readonly keyType: 'rsa' | 'ec' | 'ed25519' | 'ed448' | 'other';
  /** In bits. */
  readonly keySize: number;
  /** Name of the EC curve, null for other keys. */
  readonly curve: string | null;
  readonly signatureAlgorithm: string;
  /** null where the extension is absent. */
  readonly keyUsage: readonly string[] | null;
  /** `serverAuth`, `clientAuth`, … or OIDs; null where the extension is absent. */
  readonly extendedKeyUsage: readonly string[] | null;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  readonly notAfter: string;
  readonly chain: ChainFacts;
  readonly revocation: RevocationFacts;
  /** Problems in reading, in plain words; empty for a clean certificate. */
  readonly problems: readonly string[];
}

/** The certificate of a call: its facts, `absent` (none was presented), or `not-observed` (a HAR file holds none). */
export type CertificateObservation = CertificateFacts | 'absent' | 'not-observed';
