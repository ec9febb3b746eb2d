/** Writes an answer to the wire. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream';
import { type Answer, type Body, type HeaderList, headerKey } from '../exchange/index.js';
import { type Finding, tellableFindings } from '../rules/index.js';
import type { Outgoing } from './arrivals.js';
import { LINGER_MS } from './end-connection.js';

/** The address of the page of an exchange, for a header to a caller with such an address; null where that cannot open it. */
export type PageOf = (exchange: string, caller: string) => string | null;

interface ReplyOptions {
  readonly showHeaders: boolean;
  /** The address of the page of an exchange; null where the caller cannot open it. */
  readonly pageOf: (exchange: string) => string | null;
  readonly close: boolean;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);
/** How much of a request that is answered early is still taken in, so that its client gets to read the answer. */
const LINGER_BYTES = 8 * 1_048_576;

export function reply(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing,
  options: ReplyOptions,
): void {
  const { answer, wire } = outgoing;
  const declared = answer.header['content-length'];
  if (wire !== undefined && !(wire instanceof Uint8Array)) {
    response.writeHead(answer.status, headOf(outgoing, declared, options));
    pipeline(wire, response, () => {});
    return;
  }
  const payload = wire ?? payloadOf(answer.body);
  // Where there is no body, it is said how long it would be, if that is known.
  const length = mayHaveBody(request, answer) ? String(payload.length) : declared;
  response.writeHead(answer.status, headOf(outgoing, mayHaveLength(answer) ? length : undefined, options));
  if (!request.complete) lingerThenClose(request, response);
  // Header fields are Latin-1, and so is ASCII.
  response.end(payload, 'latin1');
}

/**
 * ASCII stays text: Node writes it together with the head, which costs less than two pieces. Other text may not: Node
 * would write the head in its encoding too, and change the bytes of fields beyond ASCII.
 */
export function payloadOf(body: Body | null): string | Uint8Array {
  if (body === null) return '';
  const { text, base64 } = body;
  if (base64 === true) return Buffer.from(text, 'base64');
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text);
}

/** RFC 9110 6.4.1. */
function mayHaveBody({ method }: IncomingMessage, { status }: Answer): boolean {
  return method !== 'HEAD' && status !== 304;
}

/** RFC 9110 8.6. */
function mayHaveLength({ status }: Answer): boolean {
  return status >= 200 && status !== 204;
}

/** Content-Length keeps its place and its spelling where the answer had one. */
function headOf(
  { answer, exchange, findings, injected }: Outgoing,
  length: string | undefined,
  { showHeaders, pageOf, close }: ReplyOptions,
): string[] {
  const head: string[] = [];
  let unplaced = length;
  for (const [name, value] of answer.headers) {
    const key = headerKey(name);
    if (key !== 'content-length') {
      if (!HOP_BY_HOP.has(key)) head.push(name, value);
    } else if (unplaced !== undefined) {
      head.push(name, unplaced);
      unplaced = undefined;
    }
  }
  if (showHeaders) addOwnHeaders(head, exchange, answer.source, findings, pageOf);
  if (showHeaders && injected !== undefined) head.push('Sandgate-Injected', injected.fault);
  if (unplaced !== undefined) head.push('Content-Length', unplaced);
  if (close) head.push('Connection', 'close');
  return head;
}

/** Flat, as they are written. `exchange`: null where nothing of it is recorded. */
export function addOwnHeaders(
  head: string[],
  exchange: string | null,
  source: Answer['source'],
  findings: readonly Finding[],
  pageOf: ReplyOptions['pageOf'],
): void {
  if (exchange !== null) head.push('Sandgate-Exchange', exchange);
  head.push('Sandgate-Source', source);
  const violated = violatedRules(tellableFindings(findings));
  if (violated !== '') head.push('Sandgate-Findings', violated);
  const page = exchange === null ? null : pageOf(exchange);
  if (page !== null) head.push('Sandgate-Report', page);
}

function violatedRules(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const rules = new Set<string>();
  for (const { rule, severity } of findings) if (severity !== 'note') rules.add(rule);
  return [...rules].join(',');
}

/**
 * A connection that is closed on a client that still sends loses the answer with it (RFC 9112 9.6): what comes is
 * thrown away for a while before the end.
 */
function lingerThenClose(request: IncomingMessage, response: ServerResponse): void {
  let left = LINGER_BYTES;
  const finish = () => {
    clearTimeout(timer);
    // A long answer to one who reads slowly ends when it is read; the limit on idle connections watches over that.
    if (response.writableFinished) request.socket.destroy();
    else request.socket.destroySoon();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish();
  });
  request.once('end', finish).once('close', finish);
  request.resume();
}

/**
 * Written by hand: Node has words for 102 and 103 only, and of their fields it takes few. Nothing is said to a client
 * of HTTP/1.0, which would take it for the answer, nor to one whose earlier request on the connection is not answered.
 */
export function inform(response: ServerResponse, status: number, headers: HeaderList): void {
  const { socket, req } = response;
  if (socket === null || socket.destroyed || response.headersSent || req.httpVersion !== '1.1') return;
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields}\r\n`, 'latin1');
}
