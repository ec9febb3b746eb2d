/** The bank's answer as it goes to the TPP: its bytes, its links led through the gateway, and its body read for judging. */
import { isUtf8 } from 'node:buffer';
import {
  type Answer,
  type Body,
  type Call,
  isJsonType,
  mediaType,
  openAnswer,
} from '../../exchange/index.js';
import type { Answered } from '../answerer.js';
import { codingsOf, decodeBody, encodeBody } from './content-coding.js';
import type { Bank, Failure } from './failures.js';
import { fieldOf } from './forward-headers.js';
import { turnJsonLinks } from './json-links.js';
import type { LinkMap } from './link-map.js';
import type { Received } from './reception.js';

type Whole = Extract<Received, { kind: 'whole' }>;
type Headers = Whole['headers'];

export interface PassParts {
  /** null: links stay as they are. */
  readonly links: LinkMap | null;
  readonly decodedBytes: number;
  readonly bank: Bank;
}

/** An answer, or the failure that it is. Given at once unless there is a coding to undo. */
export type PassAnswer = (call: Call, received: Whole) => Answered | Promise<Answered | Failure>;

const LINK_FIELDS = new Set(['location', 'content-location']);
/** A body that one of these vouches for is not changed: it would no longer be what was vouched for. */
const SEALS = ['digest', 'content-digest', 'repr-digest', 'content-md5', 'signature', 'x-jws-signature'];

export function createPassAnswer(parts: PassParts): PassAnswer {
  const { links, decodedBytes, bank } = parts;

  const turned = (call: Call, received: Whole, text: string): string | null => {
    if (links === null || !mayTurn(received)) return null;
    const places = call.operation === 'oauth.discovery' ? 'links-and-top' : 'links';
    return turnJsonLinks(text, places, links);
  };

  async function passCoded(call: Call, received: Whole, codings: readonly string[]) {
    const { status, headers, bytes } = received;
    const decoded = await decodeBody(bytes, codings, decodedBytes);
    if (decoded.kind === 'bomb') return bombFailure(bank, decodedBytes);
    if (decoded.kind !== 'plain') {
      const answer = upstreamAnswer(status, headers, opaque(bytes));
      return decoded.kind === 'unknown'
        ? { answer, wire: bytes }
        : { answer, wire: bytes, fault: corruptFault(bank, codings) };
    }
    const body = readBody(decoded.bytes, bytes.length);
    const text = body === null || body.base64 === true ? null : turned(call, received, body.text);
    if (text === null) return { answer: upstreamAnswer(status, headers, body), wire: bytes };
    const plain = Buffer.from(text);
    const wire = await encodeBody(plain, codings);
    return {
      answer: upstreamAnswer(status, withLength(headers, wire.length), { text, size: wire.length }),
      wire,
    };
  }

  return (call, received) => {
    const { status, bytes } = received;
    const headers = turnLinkFields(received.headers, links);
    if (bytes.length === 0) return { answer: upstreamAnswer(status, headers, null) };
    const codings = codingsOf(fieldOf(headers, 'content-encoding'));
    if (codings.length > 0) return passCoded(call, { ...received, headers }, codings);
    const body = readBody(bytes, bytes.length);
    const text = body === null || body.base64 === true ? null : turned(call, received, body.text);
    if (text === null) return { answer: upstreamAnswer(status, headers, body), wire: bytes };
    const wire = Buffer.from(text);
    const size = wire.length;
    return { answer: upstreamAnswer(status, withLength(headers, size), { text, size }), wire };
  };
}

export function upstreamAnswer(status: number, headers: Headers, body: Body | null): Answer {
  return openAnswer({ source: 'upstream', status, headers, body });
}

/** Location and its like, led through the gateway. */
export function turnLinkFields(headers: Headers, links: LinkMap | null): Headers {
  if (links === null) return headers;
  for (const field of headers) {
    if (!LINK_FIELDS.has(field[0].toLowerCase())) continue;
    const turn = links(field[1], '');
    if (turn !== null) field[1] = turn.prefix + field[1].slice(turn.cut);
  }
  return headers;
}

function mayTurn({ status, headers }: Whole): boolean {
  if (status === 206 || !isJsonType(mediaType(fieldOf(headers, 'content-type')))) return false;
  return !SEALS.some((seal) => fieldOf(headers, seal) !== undefined);
}

function withLength(headers: Headers, length: number): Headers {
  return headers.map(([name, value]) => [
    name,
    name.toLowerCase() === 'content-length' ? String(length) : value,
  ]);
}

function readBody(bytes: Buffer, size: number): Body | null {
  if (bytes.length === 0) return null;
  return isUtf8(bytes) ? { text: bytes.toString('utf8'), size } : { ...opaque(bytes), size };
}

function opaque(bytes: Buffer): Body {
  return { text: bytes.toString('base64'), base64: true, size: bytes.length };
}

function bombFailure({ host }: Bank, limit: number): Failure {
  const message = `The body of the bank's answer (${host}) grows beyond ${limit} bytes when it is decompressed.`;
  return { status: 502, fault: { kind: 'too-large', message } };
}

function corruptFault({ host }: Bank, codings: readonly string[]) {
  const message = `The body of the bank's answer (${host}) is not ${codings.join(', ')} as its Content-Encoding says; it was passed on as it came.`;
  return { kind: 'malformed', message } as const;
}
