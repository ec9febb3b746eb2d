/** Reading header lists. */
import type { HeaderIndex, HeaderList } from './exchange.js';

/** Values by lower-case name; duplicates are joined with `, `. */
export function indexHeaders(headers: HeaderList): HeaderIndex {
  const index: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = index[key];
    index[key] = known === undefined ? value : `${known}, ${value}`;
  }
  return index;
}

/** Pairs out of Node's flat `rawHeaders`. */
export function pairHeaders(raw: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] as string, raw[i + 1] as string]);
  return pairs;
}
