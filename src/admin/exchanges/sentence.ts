/** Says a finding as somebody would say it aloud, and finds the place in the exchange that it points to. */
import * as z from 'zod';
import { type Exchange, locateMember, type Place } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';
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

export function markOf(place: Place, exchange: Pick<Exchange, 'call' | 'answer'>): Mark {
  const ofAnswer = /^answer(?: |$)/.test(place);
  const text = ofAnswer ? place.slice('answer '.length) : place;
  const [, part = 'whole', name = ''] = /^(\w*)[ ]?(.*)$/s.exec(text) ?? [];
  const known = PARTS.has(part as Mark['part']) ? (part as Mark['part']) : 'whole';
  const side = ofAnswer || known === 'status' ? 'answer' : 'request';
  return { side, part: known, name: name === '' ? null : name, ...spanOf(known, name, side, exchange) };
}

const PARTS: ReadonlySet<Mark['part']> = new Set(mark.shape.part.options);

function spanOf(
  part: Mark['part'],
  name: string,
  side: Mark['side'],
  { call, answer }: Pick<Exchange, 'call' | 'answer'>,
): Span {
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

function parameterIn(text: string, start: number, name: string): Span {
  let from = start;
  for (const pair of text.slice(start).split('&')) {
    const [[key] = ['']] = new URLSearchParams(pair);
    if (key === name) return between(from, from + pair.length);
    from += pair.length + 1;
  }
  return { ...between(Math.min(start, text.length), text.length), isThere: false };
}

type Finding = RecordedExchange['findings'][number];

/** In characters: what is longer is seen where it is marked. */
const LONGEST = 60;
/** Rules name an absent value like this; the rest says what follows from that. */
const NOT_THERE = /^(?:absent|none|no body)(?:, (.*))?$/s;
/** Certificates tell no parts of a second. */
const WHOLE_SECOND = /\.000Z\b/g;
/** Rules expect this if any value will do: not worth saying. */
const ANYTHING = 'a value';
const ONCE = /^the (?:parameter|member) once$/;
/** Rules expect this of accesses, which they count where a header is missing. */
const A_DAY = /^at most \S+ reads? a day/;
const FINGERPRINT = /\bfp_/;
/** A value in quotation marks of its own, and what is said of it. */
const QUOTED = /^("(?:[^"\\]|\\.)*"), (.*)$/s;
/** Behind these it would not be clear where the value was sent. */
const IS_LONG = /^one |[,:] /;

/** A finding as somebody would say it aloud: what was sent, and what has to be there instead. */
export function sentenceOf(finding: Finding, exchange: Exchange): string {
  const text = wordsOf(finding, exchange).replaceAll(WHOLE_SECOND, 'Z');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The same in a few words, for a row of a list: nothing is looked up in the exchange for it. */
export function shortFormOf({ place, expected, actual = 'absent' }: Finding): string {
  const found = shortly(placeOf(place), expected, actual);
  const wanted = ONCE.test(expected) ? 'once' : oneOf(expected);
  return (expected === ANYTHING ? found : `${found}; expected ${wanted}`).replaceAll(WHOLE_SECOND, 'Z');
}

function shortly({ name, member }: Where, expected: string, actual: string): string {
  const [missing, rest] = NOT_THERE.exec(actual) ?? [];
  if (missing !== undefined) return `no ${name}${rest === undefined ? '' : `, ${rest}`}`;
  if (ONCE.test(expected)) return `${name} ${timesOf(actual)}`;
  if (A_DAY.test(expected)) return `${actual} without the ${name}`;
  return actual === member ? name : `${name}: ${inWords(actual)}`;
}

function wordsOf({ judges, place, expected, actual = 'absent' }: Finding, exchange: Exchange): string {
  const where = placeOf(place);
  const who = judges === 'tpp' ? 'the TPP' : 'the bank';
  const [missing, rest] = NOT_THERE.exec(actual) ?? [];
  if (missing !== undefined) {
    const has = where.owner === null ? `${who} sent` : `${who}’s ${where.owner} has`;
    const absent = `${has} no ${where.owner === null ? where.name : where.member}${rest === undefined ? '' : `, ${rest}`}`;
    return expected === ANYTHING ? absent : `${absent}; what belongs there is ${oneOf(expected)}`;
  }
  if (where.owner !== null) {
    const [verb, they] = /[a-z]s$/.test(where.member) ? ['are', 'they'] : ['is', 'it'];
    return `the ${where.member} of ${who}’s ${where.owner} ${verb} ${inWords(actual)}; ${they} must be ${oneOf(expected)}`;
  }
  const mark = markOf(place, exchange);
  if (A_DAY.test(expected))
    return `without ${mark.isThere ? 'a valid' : 'the'} ${where.name} this was ${actual}; the bank allows ${expected}`;
  if (ONCE.test(expected)) return `${who} sent ${where.noun} ${timesOf(actual)}; it must be there once`;
  return `${sent(who, inWords(actual), where, quotable(mark, exchange))}; ${must(expected)}`;
}

const inWords = (actual: string): string => (/^(?:empty)?$/.test(actual) ? 'an empty value' : actual);
const timesOf = (actual: string): string =>
  /^(?:\d+ times|twice)$/.test(actual) ? actual : `several times: ${actual}`;

function must(expected: string): string {
  if (expected === ANYTHING) return 'it must not be empty';
  return expected.startsWith('no ') ? `there must be ${expected}` : `it must be ${oneOf(expected)}`;
}

function sent(who: string, actual: string, { noun, as, member }: Where, text: string | null): string {
  if (as === '') return `${who} answered ${actual.replace(/^status /, '')}`;
  if (actual === member) return `${who} sent ${noun}`;
  const [, quoted, more] = QUOTED.exec(actual) ?? [];
  if (quoted !== undefined) return `${who} sent ${quoted} ${as}, ${more}`;
  if (text !== null && text !== '' && !actual.startsWith('"')) {
    if (text.includes(actual)) return `${who} sent “${actual}” ${as}`;
    if (actual.startsWith(`${text}, `)) return `${who} sent “${text}” ${as}${actual.slice(text.length)}`;
    const isTold = text.length > LONGEST || FINGERPRINT.test(text) || actual.includes(text.slice(0, 4));
    if (!isTold) return `${who} sent “${text}” ${as}, ${actual}`;
  }
  if (noun === `the ${member}` && actual.startsWith('a ')) return `${who} sent ${actual}`;
  return IS_LONG.test(actual) ? `${as} ${who} sent ${actual}` : `${who} sent ${actual} ${as}`;
}

interface Where {
  /** In a row, and behind “no”. */
  readonly name: string;
  readonly noun: string;
  /** Empty where it is what was answered. */
  readonly as: string;
  readonly member: string;
  /** The certificate or connection that has the member; null: it was sent for it. */
  readonly owner: string | null;
}

const OWNERS: Readonly<Record<string, string>> = {
  certificate: 'certificate',
  seal: 'seal certificate',
  connection: 'connection',
};

function placeOf(place: string): Where {
  if (place === 'connection') return placeOf('connection TLS version');
  const [part = '', ...rest] = place.replace(/^answer (?=.)/, '').split(' ');
  const member = rest.join(' ');
  if (member === '') {
    const as =
      part === 'status' || part === 'answer' ? '' : part === 'query' ? 'in the query' : `as the ${part}`;
    return { name: part, noun: `the ${part}`, as, member: part, owner: null };
  }
  const owner = OWNERS[part] ?? null;
  const of = (name: string, noun: string, as: string): Where => ({ name, noun, as, member, owner });
  switch (part) {
    case 'header':
      return of(`header ${member}`, `the header ${member}`, `in the header ${member}`);
    case 'query':
      return of(
        `query parameter ${member}`,
        `the query parameter ${member}`,
        `as the query parameter ${member}`,
      );
    case 'certificate':
    case 'seal':
    case 'connection':
      return of(`${member} of the ${owner}`, member, '');
    default:
      return of(`${member} in the ${part}`, `${member} in the ${part}`, `as ${member} in the ${part}`);
  }
}

function oneOf(expected: string): string {
  if (!/^[\w/.+-]+(?:, [\w/.+-]+)+$/.test(expected)) return expected;
  const all = expected.split(', ');
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** The value that is marked where it is a text; null for a whole body or query, and other values of JSON. */
function quotable(mark: Mark, exchange: Exchange): string | null {
  const { side, part, name, from } = mark;
  if (name === null && (part === 'body' || part === 'query')) return null;
  const message = side === 'answer' ? exchange.answer : exchange.call.request;
  const isOther =
    part === 'body' && message?.content.kind === 'json' && message.body?.text[from ?? 0] !== '"';
  return isOther ? null : textAt(mark, exchange);
}

/** The value that is marked; null where it is of no text. */
export function textAt(
  { side, part, name, isThere, index, from, to }: Mark,
  { call, answer }: Pick<Exchange, 'call' | 'answer'>,
): string | null {
  const message = side === 'answer' ? answer : call.request;
  if (!isThere || message === null) return null;
  if (index !== null) return message.headers[index]?.[1] ?? null;
  if (part === 'method') return call.request.method;
  if (from === null || to === null) return null;
  const text = part === 'body' ? (message.body?.text ?? '') : call.request.target;
  const marked = text.slice(from, to);
  if (part === 'body' && message.content.kind === 'json') return unquoted(marked);
  // The name of a parameter is marked with its value.
  const isPair = name !== null && (part === 'query' || (part === 'body' && message.content.kind === 'form'));
  const [[, value] = []] = isPair ? [...new URLSearchParams(marked)] : [];
  return value ?? marked;
}

/** The text of a JSON string; all else as it stands. */
function unquoted(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json;
  }
}
