/** A CA certificate opened for building chains: its key is parsed once and kept. */
import { hash, X509Certificate } from 'node:crypto';
import { derHex, MAX_CERTIFICATE_BYTES, serialOf, timeOf } from './der.js';
import { nameLine, readName } from './name.js';
import { OID } from './oids.js';
import { readPathLength, takeApart } from './parts.js';

export type Authority = NonNullable<ReturnType<typeof openAuthority>>;

// Policies narrow what a chain is for, not whether it holds; they are facts of the leaf.
const PROCESSED: ReadonlySet<string> = new Set([
  OID.basicConstraints,
  OID.keyUsage,
  OID.extendedKeyUsage,
  OID.certificatePolicies,
  OID.subjectAltName,
  OID.subjectKeyIdentifier,
  OID.authorityKeyIdentifier,
  OID.crlDistributionPoints,
  '2.5.29.36', // policyConstraints
  '2.5.29.33', // policyMappings
  '2.5.29.54', // inhibitAnyPolicy
]);

export const fingerprintOf = (der: Uint8Array): string => hash('sha256', der, 'hex');

export function openAuthority(der: Uint8Array) {
  if (der.length > MAX_CERTIFICATE_BYTES) return null;
  try {
    const parts = takeApart(der, []);
    if (parts === null || parts.subject === undefined || parts.issuer === undefined) return null;
    const certificate = new X509Certificate(der);
    const constraints = parts.extensions.find(({ oid }) => oid === OID.basicConstraints);
    return {
      fingerprint: fingerprintOf(der),
      certificate,
      key: certificate.publicKey,
      subject: nameLine(readName(parts.subject)),
      /** DER of subject and issuer as hex, to find CRLs by. */
      subjectDer: derHex(parts.subject),
      issuerDer: derHex(parts.issuer),
      serialNumber: serialOf(parts.serial),
      /** Most CAs between it and a leaf; null: any number. */
      pathLength: constraints === undefined ? null : readPathLength(constraints.value),
      /** OID of a critical extension that is not looked at here; such a certificate must not be relied on. */
      unprocessed: parts.extensions.find(({ oid, critical }) => critical && !PROCESSED.has(oid))?.oid ?? null,
      /** Epoch ms. */
      notBefore: timeOf(parts.notBefore),
      notAfter: timeOf(parts.notAfter),
    };
  } catch {
    return null;
  }
}
