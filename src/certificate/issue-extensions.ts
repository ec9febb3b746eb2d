/** Builds the extensions of certificates and CRLs (RFC 5280 4.2 and 5.2). */
import { hash, type KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { binary, type DerNode } from './der.js';
import { bits, explicit, implicit, integer, octets, oid, render, sequence, truth } from './der-write.js';
import {
  EXTENDED_KEY_USAGE_OIDS,
  type ExtendedKeyUsageName,
  KEY_USAGES,
  type KeyUsageName,
  OID,
} from './oids.js';

export const extension = (type: string, value: DerNode, critical = false): DerNode =>
  sequence(oid(type), ...(critical ? [truth()] : []), octets(render(value)));

/** First 160 bits of the SHA-256 of the public key (RFC 7093 2). */
export const keyIdOf = (key: KeyObject): Buffer =>
  hash('sha256', key.export({ type: 'spki', format: 'der' }), 'buffer').subarray(0, 20);

export const subjectKey = (keyId: Uint8Array): DerNode => extension(OID.subjectKeyIdentifier, octets(keyId));

export const authorityKey = (keyId: Uint8Array): DerNode =>
  extension(OID.authorityKeyIdentifier, sequence(implicit(0, binary(keyId))));

export const basicConstraints = (ca: boolean, pathLength: number | null = null): DerNode =>
  extension(
    OID.basicConstraints,
    sequence(...(ca ? [truth()] : []), ...(pathLength === null ? [] : [integer(pathLength)])),
    true,
  );

export function keyUsage(names: readonly KeyUsageName[]): DerNode {
  const bytes = new Uint8Array(2);
  let last = 0;
  for (const name of names) {
    const bit = KEY_USAGES.indexOf(name);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
    last = Math.max(last, bit);
  }
  return extension(OID.keyUsage, bits(bytes.subarray(0, (last >> 3) + 1), 7 - (last & 7)), true);
}

export const extendedKeyUsage = (names: readonly ExtendedKeyUsageName[]): DerNode =>
  extension(OID.extendedKeyUsage, sequence(...names.map((name) => oid(EXTENDED_KEY_USAGE_OIDS[name]))));

export const policies = (ids: readonly string[]): DerNode =>
  extension(OID.certificatePolicies, sequence(...ids.map((id) => sequence(oid(id)))));

export const crlDistributionPoint = (url: string): DerNode =>
  extension(OID.crlDistributionPoints, sequence(sequence(explicit(0, explicit(0, implicit(6, url))))));

export const ocspResponder = (url: string): DerNode =>
  extension(OID.authorityInfoAccess, sequence(sequence(oid(OID.ocsp), implicit(6, url))));

export function alternativeNames(dnsNames: readonly string[], addresses: readonly string[]): DerNode {
  const names = dnsNames.map((name) => implicit(2, name));
  return extension(
    OID.subjectAltName,
    sequence(...names, ...addresses.map((address) => implicit(7, addressBytes(address)))),
  );
}

/** An address in network order, one character a byte. @throws RangeError for what is no IP address. */
function addressBytes(address: string): string {
  if (isIPv4(address)) return String.fromCharCode(...address.split('.').map(Number));
  if (!isIPv6(address) || address.includes('.')) throw new RangeError(`${address} is not an IP address`);
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [left, right] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right]
    .map((group) => Number.parseInt(group, 16))
    .map((value) => String.fromCharCode(value >> 8, value & 0xff))
    .join('');
}
