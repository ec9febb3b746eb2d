/** Reads an AlgorithmIdentifier of a signature, and verifies by it. */
import { constants, type KeyObject, verify } from 'node:crypto';
import { childrenOf, contentOf, type DerNode, isBitString, isTagged, oidOf } from './der.js';
import { HASHES, RSASSA_PSS, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './oids.js';

/** Name and hash; an unknown algorithm has its OID for a name. @throws Error where there is none. */
export function readSignatureAlgorithm(node: DerNode | undefined): SignatureAlgorithm {
  const [type, parameters] = childrenOf(node);
  const oid = oidOf(type);
  if (oid !== RSASSA_PSS) return SIGNATURE_ALGORITHMS[oid] ?? { name: oid, hash: null };
  const tagged = childrenOf(parameters).find((parameter) => isTagged(parameter, 0));
  // RFC 4055 3.1: SHA-1 where the parameters do not name a hash.
  const hash = tagged === undefined ? 'sha1' : HASHES[oidOf(childrenOf(childrenOf(tagged)[0])[0])];
  return { name: `RSASSA-PSS-${hash ?? 'unknown'}`, hash: hash ?? null };
}

/** Whether `signature` (BIT STRING content) over `signed` is the key's. Never throws. */
export function verifies(
  signed: Uint8Array,
  algorithm: SignatureAlgorithm,
  signature: DerNode | undefined,
  key: KeyObject,
): boolean {
  const bits = Buffer.from(contentOf(signature), 'latin1');
  // Without a hash node:crypto would take the one that suits the key.
  const known = algorithm.hash !== null || algorithm.name.startsWith('ED');
  if (!isBitString(signature) || bits[0] !== 0 || !known) return false;
  const pss = algorithm.name.startsWith('RSASSA-PSS');
  const padding = pss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : {};
  try {
    return verify(algorithm.hash, signed, { key, ...padding }, bits.subarray(1));
  } catch {
    return false;
  }
}
