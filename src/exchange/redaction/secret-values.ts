/** Secrets that show by their form, wherever they stand: private keys and JWTs. For redaction and for the scan. */
import { findKeys } from './key-material.js';
import type { Spot } from './spot.js';

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
