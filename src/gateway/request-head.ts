/** Reads the head of a request: its normalised target, or why the request is rejected. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HOP_BY_HOP, headerKey, namedByConnection, type OwnListener } from '../exchange/index.js';
import { isLoopbackAddress } from '../spec/index.js';
import type { GatewayFault } from './arrivals.js';
import {
  AMBIGUOUS_TARGET_FAULT,
  CODING_IN_HTTP_1_0_FAULT,
  CONNECTION_FAULT,
  HOST_MISSING_FAULT,
  HOST_TWICE_FAULT,
  TARGET_FORM_FAULT,
  TRACE_FAULT,
  TRANSFER_CODING_FAULT,
  UPGRADE_FAULT,
  VERSION_FAULT,
} from './faults.js';

export interface RequestHead {
  readonly target: string;
  readonly problem: GatewayFault | null;
}

export function readHead(
  request: IncomingMessage,
  own: () => OwnAddress,
  listener: OwnListener,
): RequestHead {
  const { url: sent = '', socket } = request;
  const refused = framingProblem(request) ?? notOffered(request, listener);
  if (refused !== null) return { target: sent, problem: refused };
  const form = originForm(sent, own, socket);
  if (form === null) return { target: sent, problem: TARGET_FORM_FAULT };
  const target = canonicalTarget(form);
  return target === null ? { target: sent, problem: AMBIGUOUS_TARGET_FAULT } : { target, problem: null };
}

/** The next server could see another host, other fields or another end of the request (RFC 9112 3.2, 6.1). */
function framingProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): GatewayFault | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return VERSION_FAULT;
  if (headers.host === undefined) {
    if (httpVersion === '1.1') return HOST_MISSING_FAULT;
  } else if (hasTwoHosts(rawHeaders)) return HOST_TWICE_FAULT;
  if (takesOff(headers)) return CONNECTION_FAULT;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return CODING_IN_HTTP_1_0_FAULT;
  // Node takes the chunks off, and would drop any other coding with them.
  return coding.toLowerCase() === 'chunked' ? null : TRANSFER_CODING_FAULT;
}

/** An upgrade may be ignored (RFC 9110 7.8), and is where browsers ask; who asks for one over TLS wants another protocol. */
function notOffered({ method, headers }: IncomingMessage, listener: OwnListener): GatewayFault | null {
  if (method === 'TRACE') return TRACE_FAULT;
  const { upgrade, connection = '' } = headers;
  return listener === 'api' && upgrade !== undefined && /\bupgrade\b/i.test(connection)
    ? UPGRADE_FAULT
    : null;
}

/**
 * Whether the Connection field names one of the others that goes on to the bank. It had to be taken off (RFC 9110 7.6.1), and
 * what is judged and recorded would not be what the bank gets: a call with the PSU's address is none without.
 */
function takesOff(headers: IncomingHttpHeaders): boolean {
  const named = namedByConnection(headers.connection);
  return named !== null && [...named].some((name) => Object.hasOwn(headers, name) && !HOP_BY_HOP.has(name));
}

/** Node's own list keeps the first only. */
function hasTwoHosts(raw: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (name.length === 4 && headerKey(name) === 'host') hosts += 1;
  }
  return hosts > 1;
}

export interface OwnAddress {
  /** Base URL under which the listener is reached. */
  readonly url: string;
  /** The host that it was configured to listen on. */
  readonly host: string;
}

interface LocalEnd {
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
