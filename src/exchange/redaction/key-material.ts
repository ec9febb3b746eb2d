/** Detects private keys: PEM, JWK (RFC 7517), and DER in base64. */
import { nextWord } from '../codings/runs.js';

const PEM =
  /-----BEGIN[ +](?:[A-Z0-9]+[ +])*PRIVATE[ +]KEY-----[\s\S]*?(?:-----END[ +][A-Z0-9 +]*KEY-----|$)/g;
/** Members of RSA, EC and OKP keys, and `k` of symmetric ones (RFC 7518 6). */
export const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);
const PRIVATE_MEMBER = new RegExp(
  `"(?:${[...PRIVATE_MEMBERS].join('|')})\\\\*"\\s*:\\s*\\\\*"([\\w-]{8,})`,
  'g',
);
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
  if (text.includes('PRIVATE'))
    for (const { index, 0: found } of text.matchAll(PEM))
      spots.push({ kind: 'private key (PEM)', start: index, end: index + found.length, value: found });
  if (KEY_TYPE.test(text)) spots.push(...findJwks(text));
  if (nextWord(text, 0) < 0) return spots;
  for (const { index, 0: found } of text.matchAll(DER))
    if (isPrivateKey(found))
      spots.push({ kind: 'private key (DER)', start: index, end: index + found.length, value: found });
  return spots;
}

const KEY_TYPE = /"kty\\*"/;
const LONGEST_KEY = 8_192;

function findJwks(text: string): Spot[] {
  return [...text.matchAll(PRIVATE_MEMBER)].flatMap(({ index, 0: whole, 1: value = '' }) => {
    const before = text.slice(Math.max(0, index - LONGEST_KEY), index);
    const behind = text.slice(index, index + LONGEST_KEY);
    const object = before.slice(before.lastIndexOf('{') + 1) + behind.split('}', 1)[0];
    const end = index + whole.length;
    return KEY_TYPE.test(object)
      ? [{ kind: 'private key (JWK)', start: end - value.length, end, value }]
      : [];
  });
}

const HEAD = 96;

function isPrivateKey(base64: string): boolean {
  const hex = Buffer.from(base64.slice(0, HEAD).replace(/\s/g, ''), 'base64').toString('hex');
  const content = /^30(?:[0-7].|81..|82....|83......)(.*)$/.exec(hex)?.[1];
  return content !== undefined && BEGINNINGS.some((beginning) => beginning.test(content));
}

export interface Spot {
  readonly kind: string;
  /** Positions in the text that was looked through; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** Letters may stand right before it, such as that of an escaped line break. No sign is looked at from several beginnings. */
const JWT = /(?<![\w-])(?=[\w-]+\.[\w-]{2,}\.)[\w-]*?(eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*(?:\.[\w-]+\.[\w-]+)?)/g;

export function findJwts(text: string): Spot[] {
  return [...text.matchAll(JWT)]
    .map(({ index, 0: run, 1: value = '' }) => ({ end: index + run.length, value }))
    .filter(({ value }) => isJose(value))
    .map(({ end, value }) => ({ kind: 'JWT', start: end - value.length, end, value }));
}

/** Its first part is a header with an algorithm (RFC 7515 4, RFC 7516 4). */
function isJose(jwt: string): boolean {
  const head = Buffer.from(jwt.slice(0, jwt.indexOf('.')), 'base64url').toString('utf8');
  return /^\s*\{.*"alg"\s*:/s.test(head);
}

/** In the order of the text; none lies in another. */
export function findSecretValues(text: string): Spot[] {
  const spots: Spot[] = [];
  const found = [...findKeys(text), ...(text.includes('eyJ') ? findJwts(text) : [])];
  for (const spot of found.sort((a, b) => a.start - b.start))
    if (spot.start >= (spots.at(-1)?.end ?? 0)) spots.push(spot);
  return spots;
}
