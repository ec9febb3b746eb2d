/** Envoy: `X-Forwarded-Client-Cert`, elements of `Key=value` pairs with percent-encoded PEM in `Cert` and `Chain`. */
import { type ForwardedRead, readPemText } from './read.js';

/**
 * Each proxy on the way adds an element at the end, so the last one is what the proxy that calls us has seen itself;
 * those before it are only what it was told.
 */
export function readEnvoy(values: readonly string[]): ForwardedRead {
  const line = values.join(',').trim();
  if (line === '') return null;
  const pairs = lastElement(line);
  if (pairs === undefined) return { problem: 'is not a list of Key=value pairs' };
  const cert = pairs.get('cert');
  const chain = pairs.get('chain');
  // The chain begins with the client's own certificate.
  const text = chain === undefined ? cert : chain;
  if (text === undefined) {
    if (pairs.has('hash') || pairs.has('subject'))
      return { problem: 'holds no Cert: add it to set_current_client_cert_details' };
    // Of a client without certificate there is nothing but the URI of the proxy itself.
    return null;
  }
  return readPemText(text);
}

/** One pair, quoted or not, and what follows it. Spaces behind a value without quotes belong to it. */
const PAIR = /\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^",;]*))(;|,|$)/y;

/** By lower-case key; undefined where the line does not parse. */
function lastElement(line: string): ReadonlyMap<string, string> | undefined {
  let pairs = new Map<string, string>();
  let at = 0;
  while (at < line.length) {
    PAIR.lastIndex = at;
    const found = PAIR.exec(line);
    if (found === null) return undefined;
    const [, key = '', quoted, bare = '', end] = found;
    pairs.set(key.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
    at = PAIR.lastIndex;
    if (end === ',' && at < line.length) pairs = new Map();
  }
  return pairs;
}
