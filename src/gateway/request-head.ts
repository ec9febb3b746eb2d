/** Reads the head of a request: its normalised target, or why the request is rejected. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HOP_BY_HOP, headerKey, namedByConnection, type OwnListener } from '../exchange/index.js';
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
import { canonicalTarget, type OwnAddress, originForm } from './target.js';

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

/** Where the next server could see another host, other fields or another end of the request (RFC 9112 3.2, 6.1). */
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
