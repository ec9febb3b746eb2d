/** Detects private keys: PEM, JWK (RFC 7517), and DER in base64. */
import type { Spot } from './spot.js';

const PEM = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g;
const OBJECT_WITH_KTY = /\{[^{}]*"kty"[^{}]*\}/g;
/** `d` of RSA, EC and OKP keys; `k` of symmetric ones (RFC 7518 6). */
const PRIVATE_MEMBER =
  /"d"\s*:\s*"[\w-]{16,}|"kty"\s*:\s*"oct"[^{}]*"k"\s*:\s*"[\w-]{8,}|"k"\s*:\s*"[\w-]{8,}"[^{}]*"kty"\s*:\s*"oct"/;
/** A SEQUENCE in base64 begins with M; lines may be folded. */
const DER = /(?<![\w+/-])M[\w+/-]{2}(?:[\w+/-]|\r?\n(?=[\w+/-])){37,}={0,2}/g;
/** DER of what stands at the beginning of private keys, behind the outer SEQUENCE. */
const BEGINNINGS: readonly RegExp[] = [
  // PKCS#8 (RFC 5958): version 0 or 1, AlgorithmIdentifier, OCTET STRING.
  /^02010[01]30(?:0[5-9a-f]|1[0-9a-f])06/,
  // PKCS#1: version 0, modulus.
  /^0201000281|^0201000282|^02010002[0-7]/,
  // SEC 1: version 1, OCTET STRING of 28 to 66 bytes.
  /^02010104(?:1c|20|30|42)/,
  // PKCS#8, encrypted: an AlgorithmIdentifier of PKCS#5 or PKCS#12.
  /^30(?:[0-7][0-9a-f]|81..)06(?:092a864886f70d0105|0a2a864886f70d010c01)/,
  // PKCS#12: version 3, ContentInfo.
  /^02010330/,
];

export function findKeys(text: string): Spot[] {
  const spots: Spot[] = [];
  for (const { index, 0: found } of text.matchAll(PEM))
    spots.push({ kind: 'private key (PEM)', start: index, end: index + found.length, value: found });
  for (const { index, 0: found } of text.matchAll(OBJECT_WITH_KTY)) {
    const member = PRIVATE_MEMBER.exec(found);
    if (member === null) continue;
    const start = index + member.index;
    spots.push({ kind: 'private key (JWK)', start, end: start + member[0].length, value: member[0] });
  }
  for (const { index, 0: found } of text.matchAll(DER))
    if (isPrivateKey(found))
      spots.push({ kind: 'private key (DER)', start: index, end: index + found.length, value: found });
  return spots;
}

const HEAD = 96;

function isPrivateKey(base64: string): boolean {
  const hex = Buffer.from(base64.slice(0, HEAD).replace(/\s/g, ''), 'base64').toString('hex');
  const content = /^30(?:[0-7].|81..|82....|83......)(.*)$/.exec(hex)?.[1];
  return content !== undefined && BEGINNINGS.some((beginning) => beginning.test(content));
}
