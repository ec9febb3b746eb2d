/** Reads the extensions (RFC 5280 4.2) that rules and chains ask for. */
import { bytesOf, childrenOf, contentOf, isTagged, oidOf, parseDer, printable } from './der.js';
import { EXTENDED_KEY_USAGES, KEY_USAGES } from './oids.js';

/** Names of the bits set in a keyUsage. @throws Error for what is none. */
export function readKeyUsage(value: string): string[] {
  const [, ...bytes] = bytesOf(contentOf(parseDer(value)));
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** @throws Error for what is no extKeyUsage. */
export function readExtendedKeyUsage(value: string): string[] {
  return childrenOf(parseDer(value)).map((node) => {
    const oid = oidOf(node);
    return (EXTENDED_KEY_USAGES as Record<string, string>)[oid] ?? oid;
  });
}

/** OIDs of the policies. @throws Error for what is no certificatePolicies. */
export const readPolicies = (value: string): string[] =>
  childrenOf(parseDer(value)).map((policy) => oidOf(childrenOf(policy)[0]));

/** DNS names in lower case. @throws Error for what is no subjectAltName. */
export const readDnsNames = (value: string): string[] =>
  childrenOf(parseDer(value))
    .filter((name) => isTagged(name, 2))
    .map((name) => printable(contentOf(name)).toLowerCase());

/** Most CAs that may stand between this one and a leaf; null for any number. @throws Error for other values. */
export function readPathLength(value: string): number | null {
  const length = childrenOf(parseDer(value))[1];
  if (length === undefined) return null;
  const content = contentOf(length);
  return content.length === 1 ? content.charCodeAt(0) : null;
}
