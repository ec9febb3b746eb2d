/** Splits a certificate into the nodes of its TBSCertificate (RFC 5280 4.1), and reads its extensions (4.2). */
import {
  bytesOf,
  childrenOf,
  contentOf,
  type DerNode,
  isSequence,
  isTagged,
  MAX_CERTIFICATE_BYTES,
  oidOf,
  parseDer,
  printable,
} from './der.js';
import { EXTENDED_KEY_USAGES, KEY_USAGES, OID } from './oids.js';

interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: string;
}

export type CertificateParts = NonNullable<ReturnType<typeof takeApart>>;

/** Takes a certificate apart; `problems` gains what was not as DER has it. Null where it is no certificate at all. */
export function takeApart(der: Uint8Array, problems: string[]) {
  if (der.length > MAX_CERTIFICATE_BYTES) {
    problems.push(`It has ${der.length} bytes, more than any certificate.`);
    return null;
  }
  const root = readTree(der, problems);
  const tbs = childrenOf(root)[0];
  if (!isSequence(root) || !isSequence(tbs)) {
    problems.push('It is not a certificate.');
    return null;
  }
  const fields = childrenOf(tbs);
  const from = fields[0] !== undefined && isTagged(fields[0], 0) ? 1 : 0;
  const [serial, , issuer, validity, subject, publicKey] = fields.slice(from);
  if (!isSequence(issuer) || !isSequence(subject) || !isSequence(publicKey)) {
    problems.push('It lacks fields of a certificate.');
    return null;
  }
  const [notBefore, notAfter] = childrenOf(validity);
  const extensions = fields.slice(from + 6).find((field) => isTagged(field, 3));
  return {
    serial,
    signatureAlgorithm: childrenOf(root)[1],
    issuer,
    notBefore,
    notAfter,
    subject,
    extensions: readExtensions(extensions, problems),
  };
}

function readTree(der: Uint8Array, problems: string[]): DerNode | undefined {
  try {
    return parseDer(der);
  } catch (strict) {
    problems.push(`It is not well-formed DER: ${sentence(strict)}`);
  }
  try {
    return parseDer(der, false);
  } catch {
    return undefined;
  }
}

function readExtensions(tagged: DerNode | undefined, problems: string[]): Extension[] {
  const found = new Map<string, Extension>();
  for (const extension of childrenOf(childrenOf(tagged)[0])) {
    const fields = childrenOf(extension);
    try {
      const oid = oidOf(fields[0]);
      const flag = fields.length > 2 ? contentOf(fields[1]) : '';
      const value = fields.at(-1);
      if (typeof value?.value !== 'string') throw new Error('it holds no value');
      if (found.has(oid)) problems.push(`Extension ${oid} occurs more than once; the first one counts.`);
      else found.set(oid, { oid, critical: flag !== '' && flag !== '\0', value: value.value });
    } catch (error) {
      problems.push(`An extension cannot be read: ${sentence(error)}`);
    }
  }
  return [...found.values()];
}

export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith('.') ? text : `${text}.`;
}

export function readKeyUsage(value: string): string[] {
  const [, ...bytes] = bytesOf(contentOf(parseDer(value)));
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

export function readExtendedKeyUsage(value: string): string[] {
  return childrenOf(parseDer(value)).map((node) => {
    const oid = oidOf(node);
    return (EXTENDED_KEY_USAGES as Record<string, string>)[oid] ?? oid;
  });
}

export const readPolicies = (value: string): string[] =>
  childrenOf(parseDer(value)).map((policy) => oidOf(childrenOf(policy)[0]));

export const readDnsNames = (value: string): string[] =>
  childrenOf(parseDer(value))
    .filter((name) => isTagged(name, 2))
    .map((name) => printable(contentOf(name)).toLowerCase());

/** Addresses of OCSP responders in the authority information access (RFC 5280 4.2.2.1). */
export const readResponders = (value: string): string[] =>
  childrenOf(parseDer(value)).flatMap((access) => {
    const [method, place] = childrenOf(access);
    const isResponder = oidOf(method) === OID.ocsp && place !== undefined && isTagged(place, 6);
    return isResponder ? [contentOf(place)] : [];
  });

/** Most CAs that may stand between this one and a leaf; null for any number. @throws Error for other values. */
export function readPathLength(value: string): number | null {
  const length = childrenOf(parseDer(value))[1];
  if (length === undefined) return null;
  const content = contentOf(length);
  return content.length === 1 ? content.charCodeAt(0) : null;
}
