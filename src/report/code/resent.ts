/** A recorded request as it can be sent again, for whoever writes it down as code. */
import { type Call, calledAt } from '../../exchange/index.js';

/** A secret, which no recording holds, by the name of the variable that it is to be read from: `ACCESS_TOKEN`. */
export type Piece = string | { readonly secret: string };

export interface Resent {
  readonly method: string;
  readonly url: readonly Piece[];
  readonly headers: readonly (readonly [name: string, value: readonly Piece[]])[];
  /** null: it has none; `file`: it is too long, binary or not whole. */
  readonly body: readonly Piece[] | 'file' | null;
  /** The gateway's own CA signs whom it is sent to. */
  readonly isToBank: boolean;
  readonly hasCertificate: boolean;
}

/** Of the connection, or made by the client itself. */
const LEFT_OUT = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);
/** RFC 9110 5.1; curl would take a name that begins with @ for a file to read. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MOST_HEADERS = 60;
const LONGEST_BODY = 8_000;
/** A fingerprint stands where a secret stood; what is before it tells which secret. */
const SECRET = /fp_[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/g;
const NAME_BEFORE = /["']?([A-Za-z][A-Za-z0-9_-]*)["']?\s*[=:]\s*["']?$/;

export function resent(call: Call): Resent {
  const { request, certificate, listener, direction } = call;
  return {
    method: request.method,
    url: piecesOf(addressOf(call)),
    headers: request.headers
      .slice(0, MOST_HEADERS)
      .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()) && TOKEN.test(name))
      .map(([name, value]) => [
        name,
        piecesOf(value, `${name}: `, name.toLowerCase() === 'authorization' ? 'ACCESS_TOKEN' : undefined),
      ]),
    body: bodyOf(call),
    isToBank: direction === 'to-bank',
    hasCertificate: listener === 'api' && certificate !== 'absent',
  };
}

function bodyOf({ request: { body } }: Call): Resent['body'] {
  if (body === null || body.size === 0) return null;
  const whole = body.base64 !== true && body.truncated !== true && body.text.length <= LONGEST_BODY;
  return whole ? piecesOf(body.text) : 'file';
}

function addressOf(call: Call): string {
  const { target } = call.request;
  if (/^https?:\/\//i.test(target)) return target;
  const scheme = call.connection.tls === null ? 'http' : 'https';
  return (calledAt(call) ?? `${scheme}://localhost:8443`) + target;
}

/** The text between secrets, and these. `before`: what a secret may be told by besides. */
function piecesOf(given: string, before = '', name?: string): Piece[] {
  const text = given.replaceAll('\0', '');
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(SECRET)) {
    pieces.push(text.slice(from, index), {
      secret: name ?? nameBefore(before + text, before.length + index),
    });
    from = index + found.length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== '');
}

function nameBefore(text: string, at: number): string {
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  return name === undefined ? 'SECRET' : name.replaceAll('-', '_').toUpperCase();
}
