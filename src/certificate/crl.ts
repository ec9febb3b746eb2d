/** Certificate revocation lists (RFC 5280 5): the serial numbers that an issuer revoked, and since when. */

import { constants, type KeyObject, verify } from 'node:crypto';
import type { Authority } from './authority.js';
import {
  binary,
  bytesOf,
  childrenOf,
  contentOf,
  type DerNode,
  derHex,
  extentOf,
  isBitString,
  isSequence,
  isTagged,
  oidOf,
  parseDer,
  serialOf,
  timeOf,
} from './der.js';
import type { CertificateFacts } from './facts.js';
import { HASHES, OID, RSASSA_PSS, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './oids.js';

const MAX_CRL_BYTES = 33_554_432;
/** CRLReason removeFromCRL: the entry takes a revocation back. */
const REMOVE_FROM_CRL = 8;

export type Crl = ReturnType<typeof openCrl>;

interface Entries {
  readonly revoked: Map<string, string>;
  readonly indirect: boolean;
}

function openCrl(der: Uint8Array) {
  if (der.length > MAX_CRL_BYTES) throw new Error('it is larger than 32 MiB');
  const root = parseDer(der);
  const [tbs, algorithm, signature] = childrenOf(root);
  const fields = [...childrenOf(tbs)];
  if (typeof fields[0]?.value === 'string') fields.shift();
  const issuer = fields[1];
  if (!isSequence(root) || !isSequence(tbs) || !isSequence(issuer))
    throw new Error('it is not a revocation list');
  if (fields[0] === undefined || algorithm === undefined || derHex(fields[0]) !== derHex(algorithm))
    throw new Error('its two signature algorithms differ');
  timeOf(fields[2]);
  const timed = fields[3] !== undefined && !Array.isArray(fields[3].value);
  const rest = fields.slice(timed ? 4 : 3);
  const entries = readEntries(rest.find(isSequence));
  return {
    issuerDer: derHex(issuer),
    revoked: entries.revoked as ReadonlyMap<string, string>,
    /** It does not list everything the issuer revoked (delta, partitioned or indirect): absence from it proves nothing. */
    partial: entries.indirect || hasCritical(rest.find((field) => isTagged(field, 0))),
    /** Epoch ms; null where it does not say. */
    nextUpdate: timed ? timeOf(fields[3]) : null,
    /** Whether an authority signed it; asked once, then remembered. */
    signedBy: createSignedBy(signedPart(der), readSignatureAlgorithm(algorithm), signature),
  };
}

function signedPart(der: Uint8Array): Uint8Array {
  const outer = extentOf(der, 0);
  const inner = outer === null ? null : extentOf(der, outer.content);
  if (outer === null || inner === null) throw new Error('its lengths are wrong');
  return der.subarray(outer.content, inner.end);
}

function createSignedBy(signed: Uint8Array, algorithm: SignatureAlgorithm, signature: DerNode | undefined) {
  const known = new WeakMap<Authority, boolean>();
  return (authority: Authority): boolean => {
    const remembered = known.get(authority);
    if (remembered !== undefined) return remembered;
    const verdict = verifies(signed, algorithm, signature, authority.key);
    known.set(authority, verdict);
    return verdict;
  };
}

function readEntries(list: DerNode | undefined): Entries {
  const revoked = new Map<string, string>();
  for (const entry of childrenOf(list)) {
    const [serial, date, extensions] = childrenOf(entry);
    // From here on the entries may be another issuer's (RFC 5280 5.3.3).
    if (extensionOf(extensions, OID.certificateIssuer) !== undefined) return { revoked, indirect: true };
    const reason = extensionOf(extensions, OID.reasonCode);
    if (reason !== undefined && contentOf(parseDer(contentOf(reason))).charCodeAt(0) === REMOVE_FROM_CRL)
      continue;
    revoked.set(serialOf(serial), new Date(timeOf(date)).toISOString());
  }
  return { revoked, indirect: false };
}

const extensionOf = (extensions: DerNode | undefined, oid: string): DerNode | undefined =>
  childrenOf(childrenOf(extensions).find((extension) => oidOf(childrenOf(extension)[0]) === oid)).at(-1);

/** All extensions that narrow what a CRL lists are critical (RFC 5280 5.2). */
const hasCritical = (tagged: DerNode | undefined): boolean =>
  childrenOf(childrenOf(tagged)[0]).some((extension) => childrenOf(extension).length > 2);

/** Whether `issuer` took this serial number back, by those lists that it signed. */
export function revocationOf(
  serialNumber: string,
  issuer: Authority,
  crls: readonly Crl[],
  now: number,
): CertificateFacts['revocation'] {
  const own = crls.filter((crl) => crl.issuerDer === issuer.subjectDer && crl.signedBy(issuer));
  for (const crl of own) {
    const since = crl.revoked.get(serialNumber);
    if (since !== undefined) return { status: 'revoked', since };
  }
  const complete = own.some((crl) => !crl.partial && (crl.nextUpdate === null || crl.nextUpdate > now));
  return { status: complete ? 'good' : 'not-checked' };
}

const CRL_BLOCK = /-----BEGIN X509 CRL-----((?:(?!-----BEGIN )[\s\S])*?)-----END X509 CRL-----/g;

/** Opens every CRL of a PEM text, or the one of DER bytes. @throws Error for what cannot be read. */
export function openCrlFile(file: string | Uint8Array): Crl[] {
  const text = typeof file === 'string' ? file : binary(file);
  const blocks = [...text.matchAll(CRL_BLOCK)].map((block) => Buffer.from(block[1] ?? '', 'base64'));
  if (blocks.length > 0) return blocks.map(openCrl);
  return [openCrl(typeof file === 'string' ? bytesOf(file) : file)];
}

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
function verifies(
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
