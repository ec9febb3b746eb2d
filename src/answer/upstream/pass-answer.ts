/** The bank's answer on its way to the TPP: bytes passed on, links rewritten, body read for judging. */
import {
  type Answer,
  type Body,
  bodyOfBytes,
  type Call,
  codingsOf,
  createTextMemory,
  decodeBody,
  encodeBody,
  type Fault,
  isJsonType,
  mediaType,
  openAnswer,
  unreadBody,
} from '../../exchange/index.js';
import type { Answered } from '../answerer.js';
import { type Bank, type Failure, failureOf } from './failures.js';
import { fieldOf } from './forward-headers.js';
import { mayHoldLinks, rewriteJsonLinks } from './json-links.js';
import type { LinkMap } from './link-map.js';
import type { Headers, WholeAnswer } from './received.js';

interface PassParts {
  readonly links: LinkMap | null;
  readonly decodedBytes: number;
  readonly bank: Bank;
}

/** An answer, or the failure that it is. Given at once unless there is a coding to undo. */
type PassAnswer = (call: Call, received: WholeAnswer) => Answered | Promise<Answered | Failure>;

const LINK_FIELDS = new Set(['location', 'content-location']);
/** A body that one of these vouches for is not changed: it would no longer be what was vouched for. */
const SEALS = ['digest', 'content-digest', 'repr-digest', 'content-md5', 'signature', 'x-jws-signature'];

export function createPassAnswer({ links, decodedBytes, bank }: PassParts): PassAnswer {
  const rewriteLinks = createTextMemory((text) =>
    links === null ? null : rewriteJsonLinks(text, 'links', links.turn),
  );

  /** The answer with its links turned and its new text; null where there are none, or it is no JSON. */
  function rewriteBody(
    call: Call,
    received: WholeAnswer,
    body: Body,
  ): { answer: Answer; text: string } | null {
    const { status, headers } = received;
    if (links === null || body.base64 === true) return null;
    const places = call.operation === 'oauth.discovery' ? 'links-and-members' : 'links';
    if (!mayHoldLinks(body.text, places) || !links.mayTurnIn(body.text)) return null;
    const text =
      places === 'links' ? rewriteLinks(body.text) : rewriteJsonLinks(body.text, places, links.turn);
    if (text === null || !mayRewrite(status, headers)) return null;
    const answer = upstreamAnswer(status, headers, { text, size: body.size });
    return answer.content.kind === 'json' ? { answer, text } : null;
  }

  async function passCoded(
    call: Call,
    received: WholeAnswer,
    codings: readonly string[],
  ): Promise<Answered | Failure> {
    const { status, headers, bytes } = received;
    const decoded = await decodeBody(bytes, codings, decodedBytes);
    if (decoded.kind === 'bomb') return bombFailure(bank, decodedBytes);
    if (decoded.kind !== 'plain') {
      const answer = upstreamAnswer(status, headers, unreadBody(bytes));
      if (decoded.kind === 'unknown') return { answer, wire: bytes };
      return { answer, wire: bytes, fault: corruptFault(bank, codings) };
    }
    const body = bodyOfBytes(decoded.bytes, bytes.length);
    const rewritten = rewriteBody(call, received, body);
    if (rewritten === null) return { answer: upstreamAnswer(status, headers, body), wire: bytes };
    return withWire(rewritten.answer, await encodeBody(Buffer.from(rewritten.text), codings));
  }

  return (call, received) => {
    const { status, headers, bytes } = received;
    rewriteLinkFields(headers, links);
    if (bytes.length === 0) return { answer: upstreamAnswer(status, headers, null) };
    const codings = codingsOf(fieldOf(headers, 'content-encoding'));
    if (codings.length > 0) return passCoded(call, received, codings);
    const body = bodyOfBytes(bytes, bytes.length);
    const rewritten = rewriteBody(call, received, body);
    if (rewritten !== null) return withWire(rewritten.answer, Buffer.from(rewritten.text));
    const answer = upstreamAnswer(status, headers, body);
    // Plain ASCII is the same as text, and that leaves together with the head.
    return body.text.length === bytes.length && body.base64 !== true ? { answer } : { answer, wire: bytes };
  };
}

export function upstreamAnswer(status: number, headers: Headers, body: Body | null): Answer {
  return openAnswer({ source: 'upstream', status, headers, body });
}

export function rewriteLinkFields(headers: Headers, links: LinkMap | null): void {
  if (links === null) return;
  for (const field of headers) {
    if (!LINK_FIELDS.has(field[0].toLowerCase())) continue;
    const turn = links.turn(field[1], '');
    if (turn !== null) field[1] = turn.prefix + field[1].slice(turn.cut);
  }
}

function mayRewrite(status: number, headers: Headers): boolean {
  if (status === 206 || !isJsonType(mediaType(fieldOf(headers, 'content-type')))) return false;
  return !SEALS.some((seal) => fieldOf(headers, seal) !== undefined);
}

function withWire(answer: Answer, wire: Buffer): Answered {
  const length = String(wire.length);
  const headers = answer.headers.map(([name, value]): [string, string] => [
    name,
    name.toLowerCase() === 'content-length' ? length : value,
  ]);
  const body = answer.body === null ? null : { ...answer.body, size: wire.length };
  return { answer: openAnswer({ ...answer, headers, body }, answer.content), wire };
}

function bombFailure({ host }: Bank, limit: number): Failure {
  return failureOf(
    'too-large',
    `The body of the bank's answer (${host}) grows beyond ${limit} bytes when it is decompressed.`,
  );
}

function corruptFault({ host }: Bank, codings: readonly string[]): Fault {
  const coding = codings.join(', ');
  const message = `The body of the bank's answer (${host}) is not ${coding} as its Content-Encoding says; it was passed on as it came.`;
  return { kind: 'malformed', message };
}
