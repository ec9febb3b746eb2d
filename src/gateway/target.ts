/** Normalises the request target, so that recording, rules and bank see one form. */
import { isLoopbackAddress } from '../spec/index.js';

export interface OwnAddress {
  /** Base URL under which the listener is reached. */
  readonly url: string;
  /** The host that it was told to listen on. */
  readonly host: string;
}

/** Of a connection, as Node tells it. */
export interface LocalEnd {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?=[/?]|$)/i;

/** Path and query of a path, or of the whole address of this listener (RFC 9112 3.2); null where it is none of ours. */
export function originForm(target: string, own: () => OwnAddress, end: LocalEnd): string | null {
  if (target.startsWith('/')) return target;
  const authority = ABSOLUTE.exec(target)?.[0];
  if (authority === undefined || !URL.canParse(authority) || !isOwn(new URL(authority), own(), end))
    return null;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isOwn(url: URL, own: OwnAddress, { localAddress = '', localPort }: LocalEnd): boolean {
  if (URL.canParse(own.url) && url.host === new URL(own.url).host) return true;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== localPort) return false;
  const address = localAddress.replace(/^::ffff:/, '');
  const names = [own.host, address, `[${address}]`];
  return names.includes(url.hostname) || (LOOPBACK.has(url.hostname) && isLoopbackAddress(address));
}

const PLAIN_PATH = /^(?:\/[\w\-~!$&'()*+,=:@][\w\-.~!$&'()*+,=:@]*)+$/;
const NO_TARGET = /[\0- #\x7f]|%00/;
const NO_PATH = /[^!-~]|\\|%(?![0-9a-f]{2})/i;
const OCTET = /%([0-9a-f]{2})/gi;
/** Slash, backslash, `?`, `#` and control characters: whoever decodes before reading takes them for what they are not. */
const ENCODED_DELIMITER = /%(?:2f|5c|3f|23|[01][0-9a-f]|7f)/i;
const DOT_SEGMENT = /\/\.{1,2}(?:;[^/]*)?(?:\/|$)/;
const MOST_ENCODED = 3;

/**
 * Path and query with letters, digits and `-._~` of the path decoded (RFC 3986 6.2.2); the query stays as it is. null
 * where a server further on could find another path in it than the one that was judged: dot segments, backslashes,
 * encoded delimiters (all of them however often encoded), a fragment, what is no UTF-8.
 */
export function canonicalTarget(target: string): string | null {
  if (NO_TARGET.test(target)) return null;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (PLAIN_PATH.test(path)) return target;
  if (NO_PATH.test(path) || isAmbiguous(path)) return null;
  const canonical = path.replace(OCTET, (octet, hex: string) => {
    const character = characterOf(hex);
    return /[\w\-.~]/.test(character) ? character : octet.toUpperCase();
  });
  return mark < 0 ? canonical : canonical + target.slice(mark);
}

const characterOf = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

function isAmbiguous(path: string): boolean {
  try {
    decodeURIComponent(path);
  } catch {
    return true;
  }
  let text = path;
  for (let times = 0; times <= MOST_ENCODED; times++) {
    if (ENCODED_DELIMITER.test(text)) return true;
    // By octets: what is no UTF-8 further in must not hide what follows it.
    const decoded = text.replace(OCTET, (_, hex: string) => characterOf(hex));
    if (DOT_SEGMENT.test(decoded)) return true;
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
