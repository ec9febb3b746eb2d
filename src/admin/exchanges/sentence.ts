/** A finding as somebody would say it aloud: what was sent, and what has to be there instead. */
import type { Exchange } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { type Mark, markOf } from './marks.js';

type Finding = RecordedExchange['findings'][number];

/** In characters: what is longer is seen where it is marked. */
const LONGEST = 60;
/** What rules call what is not there; the rest says what follows from that. */
const MISSING = /^(?:absent|none|no body)(?:, (.*))?$/s;
/** Certificates tell no parts of a second. */
const WHOLE_SECOND = /\.000Z\b/g;
/** What rules expect where any value will do: not worth saying. */
const ANYTHING = 'a value';
/** What stands for a secret tells a reader nothing. */
const FINGERPRINT = /\bfp_/;

export function sentenceOf(finding: Finding, exchange: Exchange): string {
  const text = told(finding, exchange).replaceAll(WHOLE_SECOND, 'Z');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function told(finding: Finding, exchange: Exchange): string {
  const { judges, expected, actual = 'absent' } = finding;
  const mark = markOf(finding.place, exchange);
  const where = placeOf(finding.place);
  const who = judges === 'tpp' ? 'the TPP' : 'the bank';
  const wanted = oneOf(expected);
  const [missing, rest] = MISSING.exec(actual) ?? [];
  if (missing !== undefined) {
    const absent = `${who} sent no ${where.name}${rest === undefined ? '' : `, ${rest}`}`;
    return expected === ANYTHING ? absent : `${absent}; what belongs there is ${wanted}`;
  }
  if (mark.part === 'header' && !mark.isThere)
    return `without the ${where.name} this was ${actual}; allowed is ${expected}`;
  return `${sent(who, actual, where.as, textAt(mark, exchange))}; it must be ${wanted}`;
}

/** What stands there in quotation marks, and what a rule says of it without. */
function sent(who: string, actual: string, as: string, text: string | null): string {
  if (text !== null && text !== '' && !actual.startsWith('"')) {
    if (text.includes(actual)) return `${who} sent «${actual}» ${as}`;
    if (actual.startsWith(`${text}, `)) return `${who} sent «${text}» ${as}${actual.slice(text.length)}`;
    const isTold = text.length > LONGEST || FINGERPRINT.test(text) || actual.includes(text.slice(0, 4));
    if (!isTold) return `${who} sent «${text}» ${as}, ${actual}`;
  }
  // «One» wants to know first of what.
  return actual.startsWith('one ') ? `${as} ${who} sent ${actual}` : `${who} sent ${actual} ${as}`;
}

/** A place as a thing that can be missing, and as where something stands. */
function placeOf(place: string): { readonly name: string; readonly as: string } {
  const [part = '', ...rest] = place.replace(/^answer (?=.)/, '').split(' ');
  const name = rest.join(' ');
  if (name === '') return { name: part, as: `as the ${part}` };
  switch (part) {
    case 'header':
      return { name: `header ${name}`, as: `in the header ${name}` };
    case 'query':
      return { name: `query parameter ${name}`, as: `as the query parameter ${name}` };
    case 'certificate':
      return { name: `${name} in the certificate`, as: `as the ${name} of the certificate` };
    default:
      return { name: `${name} in the ${part}`, as: `as ${name} in the ${part}` };
  }
}

function oneOf(expected: string): string {
  if (/^the (?:parameter|member) once$/.test(expected)) return 'there once';
  if (!/^[\w/.+-]+(?:, [\w/.+-]+)+$/.test(expected)) return expected;
  const all = expected.split(', ');
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** The value that is marked; null where it is of no text. */
function textAt({ side, part, isThere, index, from, to }: Mark, { call, answer }: Exchange): string | null {
  const message = side === 'answer' ? answer : call.request;
  if (!isThere || message === null) return null;
  if (index !== null) return message.headers[index]?.[1] ?? null;
  if (part === 'method') return call.request.method;
  if (from === null || to === null) return null;
  const text = part === 'body' ? (message.body?.text ?? '') : call.request.target;
  const marked = text.slice(from, to);
  if (part === 'body' && message.content.kind === 'json') return unquoted(marked);
  // Of a parameter, its name is marked with it.
  const isPair = part === 'query' || (part === 'body' && message.content.kind === 'form');
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
