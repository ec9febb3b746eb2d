/** RFC 9440: `Client-Cert` and `Client-Cert-Chain`, structured fields with byte sequences (RFC 8941 3.3.5). */
import { asForwarded, base64Bytes, type ForwardedRead, single } from './read.js';

/** A byte sequence, with parameters that mean nothing here. */
const ITEM = /^:([A-Za-z0-9+/=]*):(?:\s*;[^,:"]*)?$/;

export function readRfc9440(cert: readonly string[], chain: readonly string[] = []): ForwardedRead {
  const value = single(cert);
  if (typeof value === 'object') return value;
  if (value === undefined)
    return chain.length > 0 ? { problem: 'is missing, though Client-Cert-Chain is there' } : null;
  const certificates: Uint8Array[] = [];
  for (const item of [value, ...chain.flatMap((line) => line.split(','))]) {
    const bytes = base64Bytes(ITEM.exec(item.trim())?.[1] ?? '');
    if (bytes === undefined) return { problem: 'is not a byte sequence of RFC 8941, as in :MIIB…:' };
    certificates.push(bytes);
  }
  return asForwarded(certificates);
}
