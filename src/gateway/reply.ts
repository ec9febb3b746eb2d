/** Writes an answer to the wire. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type Answer, type Body, headerKey } from '../exchange/index.js';
import type { Finding } from '../rules/index.js';
import type { Outgoing } from './arrivals.js';

export interface ReplyOptions {
  /** Adds the Sandgate-* headers. */
  readonly showHeaders: boolean;
  readonly close: boolean;
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'trailer',
]);
/** How much of a request that is answered early is still taken in, so that its client gets to read the answer. */
const LINGER_BYTES = 8 * 1_048_576;
const LINGER_MS = 2_000;

export function reply(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing,
  options: ReplyOptions,
): void {
  const { answer, wire } = outgoing;
  const head = headOf(outgoing, options);
  const declared = answer.header['content-length'];
  if (wire !== undefined && !(wire instanceof Uint8Array)) {
    if (declared !== undefined) head.push('Content-Length', declared);
    response.writeHead(answer.status, head);
    pipeline(wire, response, () => {});
    return;
  }
  const payload = wire ?? payloadOf(answer.body);
  // Where there is no body, it is said how long it would be, if that is known.
  const length = mayHaveBody(request, answer) ? String(Buffer.byteLength(payload)) : declared;
  if (length !== undefined && mayHaveLength(answer)) head.push('Content-Length', length);
  response.writeHead(answer.status, head);
  if (request.complete) response.end(payload);
  else lingerThenClose(request, response, payload);
}

/** Text stays text: Node writes it together with the head, which costs less than two pieces. */
function payloadOf(body: Body | null): string | Uint8Array {
  if (body === null) return '';
  return body.base64 === true ? Buffer.from(body.text, 'base64') : body.text;
}

/** RFC 9110 6.4.1. */
function mayHaveBody({ method }: IncomingMessage, { status }: Answer): boolean {
  return method !== 'HEAD' && status !== 304;
}

/** RFC 9110 8.6. */
function mayHaveLength({ status }: Answer): boolean {
  return status >= 200 && status !== 204;
}

function headOf({ answer, exchange, findings }: Outgoing, { showHeaders, close }: ReplyOptions): string[] {
  const head: string[] = [];
  for (const [name, value] of answer.headers) {
    if (!HOP_BY_HOP.has(headerKey(name))) head.push(name, value);
  }
  if (showHeaders) {
    head.push('Sandgate-Exchange', exchange, 'Sandgate-Source', answer.source);
    const violated = violatedRules(findings);
    if (violated !== '') head.push('Sandgate-Findings', violated);
  }
  if (close) head.push('Connection', 'close');
  return head;
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
function lingerThenClose(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | Uint8Array,
): void {
  let left = LINGER_BYTES;
  const finish = () => {
    clearTimeout(timer);
    request.socket.destroySoon();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish();
  });
  request.once('end', finish).once('close', finish);
  response.end(payload);
  request.resume();
}
