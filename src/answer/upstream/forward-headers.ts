/** Forwards header fields: hop-by-hop fields are dropped, all others stay as they came. */
import { type HeaderList, HOP_BY_HOP, headerKey, namedByConnection } from '../../exchange/index.js';
import type { Headers } from './received.js';

/** Host and Content-Length are written again by the client of the next hop; Expect was answered on this one. */
const REQUEST_DROPPED = new Set([...HOP_BY_HOP, 'host', 'content-length', 'expect']);
const OURS = 'sandgate-';

/** Flat names and values for the request to the bank. `without` is one more lower-case name to drop. */
export function requestHeaders(headers: HeaderList, without?: string): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) {
    const key = headerKey(name);
    if (REQUEST_DROPPED.has(key) || key === without || key.startsWith(OURS)) continue;
    flat.push(name, value);
  }
  return flat;
}

/**
 * Fields of the bank's answer out of the parser's flat list. Content-Length stays: an answer to HEAD has no other
 * trace of it. `Sandgate-*` would speak of another gateway in this one's name.
 */
export function answerHeaders(raw: readonly (Buffer | string)[]): Headers {
  const pairs: Headers = [];
  let connection: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = latin1(raw[i]);
    const key = headerKey(name);
    const value = latin1(raw[i + 1]);
    if (key === 'connection') connection = connection === undefined ? value : `${connection}, ${value}`;
    if (!HOP_BY_HOP.has(key) && !key.startsWith(OURS)) pairs.push([name, value]);
  }
  const named = namedByConnection(connection);
  return named === null ? pairs : pairs.filter(([name]) => !named.has(name.toLowerCase()));
}

function latin1(field: Buffer | string | undefined): string {
  if (field === undefined) return '';
  return typeof field === 'string' ? field : field.toString('latin1');
}

/** The value of the field of a name, given in lower case; of several lines joined (RFC 9110 5.3). */
export function fieldOf(headers: HeaderList, key: string): string | undefined {
  let joined: string | undefined;
  for (const [name, value] of headers) {
    if (name.length !== key.length || headerKey(name) !== key) continue;
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}
