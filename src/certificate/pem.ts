/** Reads certificates from files: PEM among other text, or DER. */
import { binary } from './der.js';

/** No block reaches over the beginning of another: a file of beginnings only is gone through once. */
const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----((?:(?!-----BEGIN )[\s\S])*?)-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
const SEQUENCE = 0x30;

/**
 * DER of every certificate in a file: of PEM all blocks, with any text between them; of other bytes that begin as DER
 * does, those bytes. Empty where it holds none. Whether they are readable is for `inspectCertificate` to say.
 */
export function parsePemFile(bytes: Uint8Array): Uint8Array[] {
  // A DER certificate may by chance or malice hold the text of a PEM one; it is what its first byte says.
  if (bytes[0] === SEQUENCE && bytes[1] !== undefined && bytes[1] >= 0x80) return [bytes];
  return [...binary(bytes).matchAll(CERTIFICATE)].map((block) => Buffer.from(block[1] ?? '', 'base64'));
}

type PemLabel = 'CERTIFICATE' | 'X509 CRL';

export function renderPem(label: PemLabel, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
