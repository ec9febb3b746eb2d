/** Tells plain paths of the interface without taking them apart: by far the most links that banks give are no more. */
import { OPERATION_IDS, OPERATIONS, PAYMENT_PRODUCTS } from './operations.js';

/** Values of path parameters that need no decoding. Other addresses are read more closely. */
const PARAMETERS: Readonly<Record<string, string>> = {
  paymentService: 'payments',
  paymentProduct: `(?:${Object.keys(PAYMENT_PRODUCTS).join('|')})`,
  authorisationId: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
};
const patternOf = (part: string): string =>
  part.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? '[A-Za-z0-9_~-]+');

/** Paths by their parts, so that what several begin with is looked at once; an empty part ends one. */
interface Branches extends Map<string, Branches> {}

function branchesOf(paths: readonly string[]): Branches {
  const root: Branches = new Map();
  for (const path of paths) {
    let at = root;
    for (const part of [...path.split('/').slice(1), '']) {
      const next: Branches = at.get(part) ?? new Map();
      at.set(part, next);
      at = next;
    }
  }
  return root;
}

function patternBelow(branches: Branches): string {
  const ways = [...branches].map(([part, below]) =>
    part === '' ? '$' : `/${patternOf(part)}${patternBelow(below)}`,
  );
  return ways.length === 1 ? (ways[0] ?? '') : `(?:${ways.join('|')})`;
}

const BASE = '/{segment}';
const PATHS = OPERATION_IDS.map((id) => OPERATIONS[id].path).filter((path) => path.startsWith(BASE));
const PLAIN = new RegExp(`^${patternBelow(branchesOf(PATHS.map((path) => path.slice(BASE.length))))}`);

/** `path`: what stands behind the segment, without query. Of a path that is not plain nothing is told. */
export function isPlainPath(path: string): boolean {
  return PLAIN.test(path);
}
