/** Secrets that show by their form, wherever they stand: private keys and JWTs. For redaction and for the scan. */
import { findKeys } from './key-material.js';
import type { Spot } from './spot.js';

const JWT = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*(?:\.[\w-]+\.[\w-]+)?/g;

export function findJwts(text: string): Spot[] {
  return [...text.matchAll(JWT)]
    .filter(({ 0: found }) => isJose(found))
    .map(({ index, 0: found }) => ({ kind: 'JWT', start: index, end: index + found.length, value: found }));
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
