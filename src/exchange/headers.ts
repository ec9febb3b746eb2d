/** Reading header lists. */
import type { HeaderIndex, HeaderList } from './wire.js';

const REMEMBERED = 1_000;

/** Names the line of a test that makes the call, as `FILE:LINE` in a URL's spelling; like all of Sandgate's, it never goes to a bank. */
export const TEST_HEADER = 'sandgate-test';

/**
 * What `of` tells of a header by its name in lower case, and as it is spelled. The same few names come with every call:
 * it is remembered by the spelling on the wire; bounded, because names come from outside.
 */
export function byHeaderName<V>(of: (key: string, name: string) => V): (name: string) => V {
  const known = new Map<string, V>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const told = of(name.toLowerCase(), name);
    if (known.size < REMEMBERED && name.length < 64) known.set(name, told);
    return told;
  };
}

/** Fields that are of one connection alone (RFC 9110 7.6.1, and what senders of old add to it), in lower case. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that a Connection field names belong to the hop as well: in lower case; null where it names none. */
export function namedByConnection(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined) return null;
  const value = connection.toLowerCase();
  if (value === 'keep-alive' || value === 'close') return null;
  return new Set(value.split(',').map((name) => name.trim()));
}

export const headerKey = byHeaderName((key) => key);

/** Nothing is inherited. Of a class, because V8 reads members of `Object.create(null)` the slow way. */
class Index {
  [name: string]: string;
}
Object.setPrototypeOf(Index.prototype, null);
Reflect.deleteProperty(Index.prototype, 'constructor');

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Blanks around a value are no part of it (RFC 9110 5.5): a parser takes them off the wire, files may hold them. */
function bareValue(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return end - start === value.length ? value : value.slice(start, end);
}

export function indexHeaders(headers: HeaderList): HeaderIndex {
  const index = new Index();
  for (const [name, written] of headers) {
    const key = headerKey(name);
    const value = bareValue(written);
    const known = index[key];
    index[key] = known === undefined ? value : `${known}, ${value}`;
  }
  return index;
}

/** One field, where the others are not asked for: as the index has it. */
export function headerIn(headers: HeaderList, key: string): string | undefined {
  let value: string | undefined;
  for (const [name, written] of headers)
    if (name.length === key.length && headerKey(name) === key)
      value = value === undefined ? bareValue(written) : `${value}, ${bareValue(written)}`;
  return value;
}

export function pairHeaders(raw: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] as string, raw[i + 1] as string]);
  return pairs;
}

/** The list with other values, and other names where `changeName` is given; the same list where nothing changes. */
export function changeHeaders(
  headers: HeaderList,
  changeValue: (value: string, name: string) => string,
  changeName = (name: string): string => name,
): HeaderList {
  let changed: (readonly [string, string])[] | null = null;
  for (let i = 0; i < headers.length; i++) {
    const [name, value] = headers[i] as readonly [string, string];
    const otherValue = changeValue(value, name);
    const otherName = changeName(name);
    if (otherValue === value && otherName === name) continue;
    changed ??= [...headers];
    changed[i] = [otherName, otherValue];
  }
  return changed ?? headers;
}
