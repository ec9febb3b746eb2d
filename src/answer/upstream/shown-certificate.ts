/** The certificate that the bank is shown, read from a TLS context, whatever file it came from. */
import type { SecureContext } from 'node:tls';
import { inspectCertificate, TRUSTS_NOBODY } from '../../certificate/index.js';

export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** Hex. */
  readonly serialNumber: string;
  /** SHA-256, hex. */
  readonly fingerprint: string;
  /** ISO 8601. */
  readonly notAfter: string;
}

/** null where the context shows none. */
export function shownBy({ context }: SecureContext): ShownCertificate | null {
  const der = (context as { getCertificate?: () => Uint8Array | null }).getCertificate?.() ?? null;
  if (der === null) return null;
  const facts = inspectCertificate(der, [der], TRUSTS_NOBODY, 0);
  const { subject, issuer, serialNumber, fingerprint256, notAfter } = facts;
  return { subject, issuer, serialNumber, fingerprint: fingerprint256, notAfter };
}
