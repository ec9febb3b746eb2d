/**
 * Signs a statement as a compact JWS (RFC 7515), and opens one that was signed with a key that the reader trusts. A
 * gateway opens its key at each start, and signs a minute later: jose is loaded by whoever signs or verifies first.
 */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { SandgateError } from '../spec/index.js';

/** Algorithms by what the key is; a key of another kind cannot sign. */
function algorithmOf(key: KeyObject): string | null {
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') return 'PS256';
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (key.asymmetricKeyType !== 'ec') return null;
  const curves: Readonly<Record<string, string>> = {
    prime256v1: 'ES256',
    secp384r1: 'ES384',
    secp521r1: 'ES512',
  };
  return curves[namedCurve] ?? null;
}

const KINDS = 'RSA of 2048 bits or more, EC P-256, P-384 or P-521, or Ed25519';

/** Signs with one key: `header.payload.signature` and a line end. */
export type Sign = (payload: Uint8Array) => Promise<string>;

/** `keyName` is what the user called the key, a PEM private key. */
export function openSigner(pem: string, keyName: string): Sign {
  const key = readKey(() => createPrivateKey(pem), keyName, 'private key without passphrase');
  const alg = algorithmOf(key);
  const { modulusLength = Number.POSITIVE_INFINITY } = key.asymmetricKeyDetails ?? {};
  if (alg === null || modulusLength < 2048)
    throw new SandgateError('key.cannot-sign', { file: keyName, kinds: KINDS });
  let kid: string | undefined;
  return async (payload) => {
    const { CompactSign, calculateJwkThumbprint, exportJWK } = await import('jose');
    kid ??= await calculateJwkThumbprint(await exportJWK(createPublicKey(key)));
    const signing = new CompactSign(payload).setProtectedHeader({ alg, kid, cty: 'application/json' });
    return `${await signing.sign(key)}\n`;
  };
}

/** The same for one payload. */
export async function sign(payload: Uint8Array, pem: string, keyName: string): Promise<string> {
  return openSigner(pem, keyName)(payload);
}

/**
 * What was signed, or null where it was signed with another key, or is not to the byte what `sign` writes: of a
 * signature in base64url several spellings decode to the same. `pem` is a public key, a certificate or the private
 * key itself.
 */
export async function openSigned(jws: string, pem: string, keyName: string): Promise<Uint8Array | null> {
  const key = readKey(() => createPublicKey(pem), keyName, 'public key or certificate');
  const alg = algorithmOf(key);
  if (alg === null) throw new SandgateError('key.cannot-sign', { file: keyName, kinds: KINDS });
  if (!WRITTEN.test(jws) || !jws.trimEnd().split('.').every(isPlainest)) return null;
  const { compactVerify } = await import('jose');
  try {
    // The algorithm is that of the key, never one that the signature names.
    const { payload } = await compactVerify(jws.trimEnd(), key, { algorithms: [alg] });
    return payload;
  } catch {
    return null;
  }
}

const WRITTEN = /^[\w-]+\.[\w-]+\.[\w-]+\n$/;

const isPlainest = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** From when to when the certificate of a key is valid, epoch ms; null where `pem` is a bare key. */
export function validityOf(pem: string): { readonly from: number; readonly to: number } | null {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return null;
  const { validFrom, validTo } = new X509Certificate(pem);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

function readKey(read: () => KeyObject, name: string, what: string): KeyObject {
  try {
    return read();
  } catch (cause) {
    throw new SandgateError('key.unreadable', { file: name, what }, { cause });
  }
}
