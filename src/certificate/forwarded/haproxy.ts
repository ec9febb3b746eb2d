/** HAProxy: `X-SSL-Client-Cert %[ssl_c_der,base64]`, and the chain as `X-SSL-Client-Chain %[ssl_c_chain_der,base64]`. */
import { asForwarded, base64Bytes, type ForwardedRead, lengthAt, readPemText, single } from './read.js';

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
