/** What the readers of forwarded certificates have in common. */
import { MAX_CERTIFICATE_BYTES } from '../der.js';
import { parsePemFile } from '../pem.js';

/** Certificates in DER: the client's own, and what it sent above it. */
export interface ForwardedCertificate {
  readonly leaf: Uint8Array;
  readonly chain: readonly Uint8Array[];
}

/** null: the client showed none. A problem is half a sentence that goes on from the header's name. */
export type ForwardedRead = ForwardedCertificate | { readonly problem: string } | null;

export interface ForwardedForm {
  /** Lower case, that of the certificate first. */
  readonly headers: readonly string[];
  /** Gets the values of those headers in their order, each as often as it came. Never throws. */
  readonly read: (...values: (readonly string[])[]) => ForwardedRead;
}

const LONGEST_CHAIN = 10;
const SEQUENCE = 0x30;

/** `certificates` with the client's own first. */
export function asForwarded(certificates: readonly Uint8Array[]): ForwardedRead {
  const [leaf, ...chain] = certificates;
  if (leaf === undefined) return { problem: 'holds no certificate' };
  if (chain.length > LONGEST_CHAIN)
    return { problem: `holds more than ${LONGEST_CHAIN} certificates of CAs` };
  for (const one of certificates) {
    if (one.length > MAX_CERTIFICATE_BYTES) return { problem: 'holds a certificate that is too large' };
    const length = lengthAt(one, 0);
    if (length === undefined || length > one.length)
      return { problem: 'contains bytes that are not a certificate' };
    // No signature covers them, and they would give the same certificate another fingerprint.
    if (length < one.length) return { problem: 'holds bytes behind a certificate' };
  }
  return { leaf, chain };
}

/** Length of the DER sequence that begins there, with its head; undefined where none begins. */
export function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at + 1];
  if (bytes[at] !== SEQUENCE || first === undefined) return undefined;
  if (first < 0x80) return 2 + first;
  const count = first & 0x7f;
  if (count < 1 || count > 3) return undefined;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  return 2 + count + length;
}

/** The only value of a header: undefined where there is none, a problem where it came more than once. */
export function single(values: readonly string[]): string | undefined | { readonly problem: string } {
  if (values.length > 1) return { problem: 'came more than once' };
  const value = values[0]?.trim();
  return value === '' ? undefined : value;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** undefined where the text is no base64. */
export function base64Bytes(text: string): Uint8Array | undefined {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The certificates of a PEM text, percent-encoded or not; its line ends may have become blanks. */
export function readPemText(text: string): ForwardedRead {
  try {
    const pem = text.includes('%') ? decodeURIComponent(text) : text;
    return asForwarded(parsePemFile(Buffer.from(pem, 'latin1')));
  } catch {
    return { problem: 'is not correctly percent-encoded' };
  }
}
