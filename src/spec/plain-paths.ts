/** Tells plain paths of the interface without taking them apart: by far the most links that banks give are no more. */
/** Values of path parameters that need no decoding. Other addresses are read more closely. */
const PARAMETERS: Readonly<Record<string, string>> = {
  paymentService: 'payments',
  authorisationId: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
};
/** A text as a part of a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const patternOf = (part: string, products: readonly string[]): string => {
  const name = /^\{(\w+)\}$/.exec(part)?.[1];
  if (name === undefined) return escaped(part);
  if (name === 'paymentProduct') return `(?:${products.map(escaped).join('|')})`;
  return PARAMETERS[name] ?? '[A-Za-z0-9_~-]+';
};

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

function patternBelow(branches: Branches, products: readonly string[]): string {
  const ways = [...branches].map(([part, below]) =>
    part === '' ? '$' : `/${patternOf(part, products)}${patternBelow(below, products)}`,
  );
  return ways.length === 1 ? (ways[0] ?? '') : `(?:${ways.join('|')})`;
}

/** Tells whether a path without query is a plain one of these templates. Of a path that is not plain nothing is told. */
export function createPlainPaths(templates: Iterable<string>, products: readonly string[]) {
  const pattern = new RegExp(`^${patternBelow(branchesOf([...templates]), products)}`);
  return (path: string): boolean => pattern.test(path);
}
