/** Pseudonymises an exchange: replaces account numbers, names and texts of people. */
import { FORM_TYPE, isJsonType, mediaType, readForm } from '../content.js';
import type { Call, Exchange } from '../exchange.js';
import { changeHeaders } from '../headers.js';
import { changeJson } from '../json-text.js';
import { changeTarget } from '../link.js';
import type { Answer } from '../message.js';
import { isJsonLike } from '../redaction/redact-json.js';
import { sendingSealed } from '../sealed.js';
import type { Body, HeaderList } from '../wire.js';
import { PERSONAL_HEADERS, type PersonalKind, personalKindOf } from './pseudonymised-fields.js';
import type { Pseudonyms } from './pseudonyms.js';

export interface Pseudonymised {
  readonly exchange: Exchange;
  readonly pseudonymiseText: (text: string) => string;
}

interface Walk {
  readonly pseudonyms: Pseudonyms;
  readonly met: Map<string, string>;
}

/** Doing it again changes nothing more. Of an exchange that was redacted before. */
export function pseudonymise(exchange: Exchange, pseudonyms: Pseudonyms): Pseudonymised {
  const walk: Walk = { pseudonyms, met: new Map() };
  const { call, answer, scope } = exchange;
  const otherCall = ofCall(walk, call);
  const otherAnswer = answer === null ? null : ofAnswer(walk, answer);
  const otherScope = scope === undefined ? {} : { scope: pseudonyms.ibansIn(scope) };
  const same = otherCall === call && otherAnswer === answer && otherScope.scope === scope;
  return {
    exchange: same ? exchange : { ...exchange, call: otherCall, answer: otherAnswer, ...otherScope },
    pseudonymiseText: (text) => pseudonymiseCopies(walk, text),
  };
}

function ofCall(walk: Walk, call: Call): Call {
  const { request } = call;
  const { ibansIn } = walk.pseudonyms;
  const target = changeTarget(request.target, ibansIn, (query) => ofPairs(walk, query));
  const body = ofBody(walk, request.body, call.header['content-type'], false);
  const other = request.with(target, ofHeaders(walk, request.headers), body);
  const made = call.sending(other, target === request.target ? undefined : ibansIn);
  return sendingSealed(call, made, walk.pseudonyms.text);
}

/** A query or a form: fields of the names that JSON has, and IBANs in all others. */
function ofPairs(walk: Walk, text: string): string {
  const pairOf = (pair: string): string => {
    const [name, value] = readForm(pair)[0] ?? ['', ''];
    const kind = personalKindOf(name);
    if (kind === undefined) return walk.pseudonyms.ibansIn(pair);
    const made = replace(walk, value, kind);
    return made === value ? pair : `${pair.slice(0, pair.indexOf('=') + 1)}${encodeURIComponent(made)}`;
  };
  return text.split('&').map(pairOf).join('&');
}

function ofAnswer(walk: Walk, answer: Answer): Answer {
  const body = ofBody(walk, answer.body, answer.header['content-type'], answer.status >= 400);
  return answer.with(ofHeaders(walk, answer.headers), body);
}

const ofHeaders = (walk: Walk, headers: HeaderList): HeaderList =>
  changeHeaders(headers, (value, name) => replace(walk, value, PERSONAL_HEADERS.get(name.toLowerCase())));

/** `isError`: a page that says what went wrong is of use, and no statement of an account. */
function ofBody(
  walk: Walk,
  body: Body | null,
  contentType: string | undefined,
  isError: boolean,
): Body | null {
  if (body === null || body.text === '') return body;
  // Nobody can tell what is in bytes that are no text, UTF-16 among them.
  if (body.base64 === true || body.text.includes('\0')) return { text: '', size: body.size, truncated: true };
  const text = ofText(walk, body.text, mediaType(contentType), isError);
  return text === body.text ? body : { ...body, text };
}

function ofText(walk: Walk, text: string, type: string, isError: boolean): string {
  if (isJsonType(type) || isJsonLike(text)) return ofJson(walk, text);
  if (type === FORM_TYPE) return ofPairs(walk, text);
  if (isError) return walk.pseudonyms.ibansIn(text);
  // A statement in another form (camt, MT940): names may stand anywhere.
  return walk.pseudonyms.text(text);
}

const ofJson = (walk: Walk, text: string): string =>
  changeJson(text, null, {
    enter: () => null,
    name: (name) => walk.pseudonyms.ibansIn(name),
    text: (value, member) => replace(walk, value, personalKindOf(member)),
    // A card number may stand as a number.
    number: (literal, member) =>
      /^\d+$/.test(literal) && personalKindOf(member) !== undefined
        ? replace(walk, literal, 'number')
        : literal,
  });

function replace({ pseudonyms, met }: Walk, value: string, kind: PersonalKind | undefined): string {
  if (kind === undefined) return pseudonyms.ibansIn(value);
  const made = pseudonyms[kind](value);
  if (made !== value) met.set(value, made);
  return made;
}

/** A shorter value stands in too many words by chance; it is replaced where it is the whole text. */
const SHORTEST_PART = 4;
const LONGEST_FINDING = 200;

function pseudonymiseCopies({ pseudonyms, met }: Walk, text: string): string {
  let swept = text;
  const values = [...met].sort(([a], [b]) => b.length - a.length);
  for (const [value, made] of values) {
    if (swept === value) swept = made;
    if (value.length < SHORTEST_PART) continue;
    swept = replaceCopies(swept, value, made);
    const escaped = JSON.stringify(value).slice(1, -1);
    if (escaped !== value) swept = replaceCopies(swept, escaped, made);
  }
  return pseudonyms.ibansIn(swept);
}

/** Also the one that the text ends in: `…the beginning of a val…` */
function replaceCopies(copied: string, value: string, made: string): string {
  const text = copied.replaceAll(value, () => made);
  if (!text.endsWith('…')) return text;
  const head = text.slice(0, -1);
  for (let length = Math.min(value.length, LONGEST_FINDING); length >= SHORTEST_PART; length--) {
    if (head.endsWith(value.slice(0, length))) return `${head.slice(0, -length)}${made}…`;
  }
  return text;
}
