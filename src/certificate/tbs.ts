/** Assembles and signs a certificate (RFC 5280 4.1). */
import type { KeyObject } from 'node:crypto';
import type { DerNode } from './der.js';
import {
  explicit,
  integer,
  oid,
  printableString,
  publicKeyInfo,
  sequence,
  set,
  time,
  unsigned,
  utf8,
} from './der-write.js';
import { OID } from './oids.js';
import { signed } from './sign.js';

export interface SubjectOrder {
  /** ISO 3166 code. */
  readonly country?: string;
  readonly organization?: string;
  readonly organizationIdentifier?: string;
  readonly commonName: string;
}

export interface ValidityOrder {
  /** Random bytes, most significant first; at most 20. */
  readonly serialNumber: Uint8Array;
  /** Epoch ms; whole seconds are kept. */
  readonly notBefore: number;
  readonly notAfter: number;
}

interface CertificateContent extends ValidityOrder {
  readonly subject: DerNode;
  readonly issuer: DerNode;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly DerNode[];
}

export function nameNode(subject: SubjectOrder): DerNode {
  const { country, organization, organizationIdentifier, commonName } = subject;
  const attributes: readonly (readonly [string, DerNode | null])[] = [
    [OID.country, country === undefined ? null : printableString(country)],
    [OID.organization, organization === undefined ? null : utf8(organization)],
    [OID.organizationIdentifier, organizationIdentifier === undefined ? null : utf8(organizationIdentifier)],
    [OID.commonName, utf8(commonName)],
  ];
  return sequence(
    ...attributes.flatMap(([type, value]) => (value === null ? [] : [set(sequence(oid(type), value))])),
  );
}

/** DER of the signed certificate. */
export const signCertificate = (content: CertificateContent): Buffer =>
  signed(
    (algorithm) =>
      sequence(
        explicit(0, integer(2)),
        unsigned(content.serialNumber),
        algorithm,
        content.issuer,
        sequence(time(content.notBefore), time(content.notAfter)),
        content.subject,
        publicKeyInfo(content.publicKey),
        explicit(3, sequence(...content.extensions)),
      ),
    content.signingKey,
  );
