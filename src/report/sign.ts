/** Signs the bytes of a report with a detached JWS (RFC 7515 appendix F, RFC 7797), and checks such a signature. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, flattenedVerify } from 'jose';
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

/** `header..signature`, over exactly these bytes. `keyName` is what the user called the key, a PEM private key. */
export async function signReport(bytes: Uint8Array, pem: string, keyName: string): Promise<string> {
  const key = readKey(() => createPrivateKey(pem), keyName, 'private key without passphrase');
  const alg = algorithmOf(key);
  const { modulusLength = Number.POSITIVE_INFINITY } = key.asymmetricKeyDetails ?? {};
  if (alg === null || modulusLength < 2048)
    throw new SandgateError('input', `${keyName} is no key that can sign a report: ${KINDS}.`);
  const kid = await calculateJwkThumbprint(await exportJWK(createPublicKey(key)));
  const { protected: header = '', signature } = await new FlattenedSign(bytes)
    .setProtectedHeader({ alg, kid, b64: false, crit: ['b64'], cty: 'application/json' })
    .sign(key);
  return `${header}..${signature}`;
}

/** `pem` is a public key, a certificate or the private key itself. False for another key or other bytes. */
export async function isSignedBy(
  bytes: Uint8Array,
  jws: string,
  pem: string,
  keyName: string,
): Promise<boolean> {
  const key = readKey(() => createPublicKey(pem), keyName, 'public key or certificate');
  const alg = algorithmOf(key);
  if (alg === null)
    throw new SandgateError('input', `${keyName} is no key that can sign a report: ${KINDS}.`);
  const [header = '', payload, signature = '', ...rest] = jws.trim().split('.');
  if (payload !== '' || rest.length > 0) return false;
  try {
    // The algorithm is that of the key, never one that the signature names.
    await flattenedVerify({ protected: header, payload: bytes, signature }, key, {
      algorithms: [alg],
      crit: { b64: true },
    });
    return true;
  } catch {
    return false;
  }
}

function readKey(read: () => KeyObject, name: string, what: string): KeyObject {
  try {
    return read();
  } catch (cause) {
    throw new SandgateError('input', `${name} is no PEM ${what}.`, { cause });
  }
}
