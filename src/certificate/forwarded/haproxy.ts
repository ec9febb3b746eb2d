/** HAProxy: `X-SSL-Client-Cert %[ssl_c_der,base64]`, and the chain as `X-SSL-Client-Chain %[ssl_c_chain_der,base64]`. */
import { asForwarded, base64Bytes, type ForwardedRead, readPemText, single } from './read.js';

export function readHaproxy(cert: readonly string[], chain: readonly string[] = []): ForwardedRead {
  const value = single(cert);
  if (value === undefined) return null;
  if (typeof value === 'object') return value;
  if (value.startsWith('-----BEGIN')) return readPemText(value);
  const leaf = base64Bytes(value);
  if (leaf === undefined) return { problem: 'is neither base64 nor PEM' };
  const above = single(chain);
  if (above === undefined) return asForwarded([leaf]);
  const all = typeof above === 'object' ? undefined : base64Bytes(above);
  const certificates = all === undefined ? undefined : divideDer(all);
  if (certificates === undefined) return { problem: 'comes with a chain that is not base64 of certificates' };
  return asForwarded([leaf, ...certificates]);
}

/** Certificates that stand one after the other; undefined where something else stands among them. */
function divideDer(bytes: Uint8Array): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length === undefined || at + length > bytes.length) return undefined;
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** Of the sequence that begins there, head and all. */
function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at + 1];
  if (bytes[at] !== 0x30 || first === undefined) return undefined;
  if (first < 0x80) return 2 + first;
  const count = first & 0x7f;
  if (count < 1 || count > 3) return undefined;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  return 2 + count + length;
}
