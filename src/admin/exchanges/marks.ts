/** Where in the text of an exchange a finding points: which header field, which characters of the target or a body. */
import * as z from 'zod';
import { type Exchange, locateMember, type Place } from '../../exchange/index.js';
import type { Shown } from '../api/schemas.js';

export const mark = z.object({
  side: z.enum(['request', 'answer']),
  part: z.enum(['connection', 'certificate', 'method', 'path', 'query', 'status', 'header', 'body', 'whole']),
  name: z.string().nullable().describe('Of the field, parameter or member; null: the whole part.'),
  isThere: z.boolean().describe('False: it is missing, and what is marked is where it belongs.'),
  index: z.int().nullable().describe('Of a header field, in the list of them.'),
  from: z.int().nullable().describe('In the target, or in the text of the body, in UTF-16 units.'),
  to: z.int().nullable(),
});

export type Mark = Shown<typeof mark>;
type Span = Pick<Mark, 'isThere' | 'index' | 'from' | 'to'>;

const NOWHERE: Span = { isThere: true, index: null, from: null, to: null };
const MISSING: Span = { ...NOWHERE, isThere: false };
const FORM = 'form';

export function markOf(place: Place, exchange: Exchange): Mark {
  const ofAnswer = /^answer(?: |$)/.test(place);
  const text = ofAnswer ? place.slice('answer '.length) : place;
  const [, part = 'whole', name = ''] = /^(\w*)[ ]?(.*)$/s.exec(text) ?? [];
  const known = PARTS.has(part as Mark['part']) ? (part as Mark['part']) : 'whole';
  const side = ofAnswer || known === 'status' ? 'answer' : 'request';
  return { side, part: known, name: name === '' ? null : name, ...spanOf(known, name, side, exchange) };
}

const PARTS: ReadonlySet<Mark['part']> = new Set(mark.shape.part.options);

function spanOf(part: Mark['part'], name: string, side: Mark['side'], { call, answer }: Exchange): Span {
  const message = side === 'answer' ? answer : call.request;
  if (message === null) return MISSING;
  const { target, path } = call.request;
  switch (part) {
    case 'path':
      return within(target, call.params[name] ?? path, 0);
    case 'query':
      return name === '' ? between(path.length, target.length) : parameterIn(target, path.length + 1, name);
    case 'header': {
      if (name === '') return NOWHERE;
      const index = message.headers.findIndex(([one]) => one.toLowerCase() === name.toLowerCase());
      return index < 0 ? MISSING : { ...NOWHERE, index };
    }
    case 'body': {
      const { body, content } = message;
      if (body === null) return MISSING;
      if (name === '') return between(0, body.text.length);
      if (content.kind === FORM) return parameterIn(body.text, 0, name);
      return content.kind === 'json' ? locate(body.text, name) : NOWHERE;
    }
    default:
      return NOWHERE;
  }
}

const between = (from: number, to: number): Span => ({ ...NOWHERE, from, to });

function locate(text: string, path: string): Span {
  const { from, to, isThere } = locateMember(text, path);
  return { ...NOWHERE, isThere, from, to };
}

function within(text: string, part: string, start: number): Span {
  for (const written of [part, encodeURIComponent(part)]) {
    const from = text.indexOf(written, start);
    if (from >= 0) return between(from, from + written.length);
  }
  return NOWHERE;
}

/** Name and value of a parameter, as they are written. */
function parameterIn(text: string, start: number, name: string): Span {
  let from = start;
  for (const pair of text.slice(start).split('&')) {
    const [[key] = ['']] = new URLSearchParams(pair);
    if (key === name) return between(from, from + pair.length);
    from += pair.length + 1;
  }
  return { ...between(Math.min(start, text.length), text.length), isThere: false };
}
