/** Signs certificates and CRLs. */
import { type KeyObject, sign } from 'node:crypto';
import type { DerNode } from './der.js';
import { bits, nothing, oid, render, sequence } from './der-write.js';

interface Signing {
  readonly hash: string | null;
  /** A new node each time: nodes are not shared between trees. */
  readonly algorithm: () => DerNode;
}

const RSA: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.113549.1.1.11'), nothing()) };
const ECDSA_256: Signing = { hash: 'sha256', algorithm: () => sequence(oid('1.2.840.10045.4.3.2')) };
const ECDSA_384: Signing = { hash: 'sha384', algorithm: () => sequence(oid('1.2.840.10045.4.3.3')) };
const EDWARDS: Signing = { hash: null, algorithm: () => sequence(oid('1.3.101.112')) };

function signingOf(key: KeyObject): Signing {
  if (key.asymmetricKeyType === 'ed25519') return EDWARDS;
  if (key.asymmetricKeyType !== 'ec') return RSA;
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ECDSA_384 : ECDSA_256;
}

/**
 * DER of SEQUENCE { tbs, algorithm, signature }; `build` is given the algorithm, which stands within the signed part
 * too.
 */
export function signed(build: (algorithm: DerNode) => DerNode, key: KeyObject): Buffer {
  const { hash, algorithm } = signingOf(key);
  const tbs = build(algorithm());
  return render(sequence(tbs, algorithm(), bits(sign(hash, render(tbs), key))));
}
