/** Assembles and signs a certificate (RFC 5280 4.1). */
import { type KeyObject, sign } from 'node:crypto';
import type { DerNode } from './der.js';
import {
  bits,
  explicit,
  integer,
  nothing,
  oid,
  printableString,
  publicKeyInfo,
  render,
  sequence,
  set,
  time,
  unsigned,
  utf8,
} from './der-write.js';
import { OID } from './oids.js';

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

interface Signing {
  readonly hash: string | null;
  /** A new node each time: nodes are not shared between trees. */
  readonly algorithm: () => DerNode;
}

const RSA: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.113549.1.1.11'), nothing()) };
const ECDSA_256: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.10045.4.3.2')) };
const ECDSA_384: Signing = { hash: 'sha384', algorithm: () => sequence(oid('1.2.840.10045.4.3.3')) };
const EDWARDS: Signing = { hash: null, algorithm: () => sequence(oid('1.3.101.112')) };

function signingOf(key: KeyObject): Signing {
  if (key.asymmetricKeyType === 'ed25519') return EDWARDS;
  if (key.asymmetricKeyType !== 'ec') return RSA;
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ECDSA_384 : ECDSA_256;
}

/**
 * DER of SEQUENCE { tbs, algorithm, signature }; `build` is given the algorithm, which stands within the signed part
 * too.
 */
export function signed(build: (algorithm: DerNode) => DerNode, key: KeyObject): Buffer {
  const { hash, algorithm } = signingOf(key);
  const tbs = build(algorithm());
  return render(sequence(tbs, algorithm(), bits(sign(hash, render(tbs), key))));
}
