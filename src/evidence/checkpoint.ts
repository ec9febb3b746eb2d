/** Checkpoints: signed statements (JWS, RFC 7515) of a gateway about a session that it is recording. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { SandgateError } from '../spec/index.js';

/**
 * At `at` the chain of the session had so many entries, and this link was that of the last one; the entries in `runs`
 * (first and last place of each) were recorded by the one who signs. What others wrote between them, or before, is only
 * known to have been there.
 */
export interface Checkpoint {
  readonly type: 'sandgate-checkpoint';
  readonly version: 1;
  readonly session: string;
  readonly store: string;
  readonly entries: number;
  /** Hex. */
  readonly head: string;
  readonly runs: readonly (readonly [from: number, to: number])[];
  /** `orderBehind` of all entries of the runs, where turns order them among those of other chains. */
  readonly order?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export function signCheckpoint(checkpoint: Checkpoint, sign: Sign): Promise<string> {
  return sign(Buffer.from(JSON.stringify(checkpoint)));
}

export interface TrustedKey {
  readonly pem: string;
  readonly name: string;
}

type OpenedCheckpoint = { readonly checkpoint: Checkpoint; readonly key: TrustedKey };

/** null where none of the keys signed it, or what they signed is no checkpoint. */
export async function openCheckpoint(
  jws: string,
  keys: readonly TrustedKey[],
): Promise<OpenedCheckpoint | null> {
  for (const key of keys) {
    const payload = await openSigned(jws, key.pem, key.name);
    const checkpoint = payload === null ? null : readCheckpoint(payload);
    if (checkpoint !== null) return { checkpoint, key };
  }
  return null;
}

export function unverifiedCheckpoint(jws: string): Checkpoint | null {
  const [, payload = ''] = jws.split('.');
  return readCheckpoint(Buffer.from(payload, 'base64url'));
}

function readCheckpoint(payload: Uint8Array): Checkpoint | null {
  let value: Partial<Checkpoint> | null;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return null;
  }
  if (value?.type !== 'sandgate-checkpoint' || value.version !== 1) return null;
  const { session, store, head, at, entries, runs } = value;
  const isOne =
    [session, store, head, at].every((one) => typeof one === 'string') &&
    Number.isSafeInteger(entries) &&
    Array.isArray(runs) &&
    runs.every((run) => Array.isArray(run) && run.length === 2 && run.every(Number.isSafeInteger));
  return isOne ? (value as Checkpoint) : null;
}

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

/** The validity of the certificate of a key, epoch ms; null if `pem` is a bare key. */
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
