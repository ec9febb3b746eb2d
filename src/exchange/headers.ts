/** Reading header lists. */
import type { HeaderIndex, HeaderList } from './exchange.js';

/** By name as it is spelled on the wire; bounded, because names come from outside. */
const keys = new Map<string, string>();
const REMEMBERED = 1_000;

/** The name of a header in lower case. The same few names come with every call. */
export function headerKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = name.toLowerCase();
  if (keys.size < REMEMBERED && name.length < 64) keys.set(name, key);
  return key;
}

/** Values by lower-case name; duplicates are joined with `, `. */
export function indexHeaders(headers: HeaderList): HeaderIndex {
  const index: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) {
    const key = headerKey(name);
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
