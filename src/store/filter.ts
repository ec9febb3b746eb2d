/** The filter language of recordings: `status>=400 operation:accounts.* -rule:oauth/*`, all terms together. */
import { createGlob } from '../exchange/index.js';
import { nearestOf, SandgateError } from '../spec/index.js';
import type { RecordedExchange } from './port.js';

export type Filter = (record: RecordedExchange) => boolean;

type Value = string | number | undefined;
type Reader = (record: RecordedExchange) => readonly Value[];

/** What can stand behind the name of a field that does not hold just any text. */
interface Form {
  readonly compared: RegExp;
  /** Behind `:` and `=`, each of the alternatives. */
  readonly equal: RegExp;
  readonly words: string;
}

const NUMBER: Form = {
  compared: /^\d+(?:\.\d+)?$/,
  equal: /^[\d.*]+$/,
  words: 'a number; behind «:» and «=» also with «*», such as 4*',
};
/** Times are compared as texts, so that any beginning of one will do; equal is only a whole one. */
const TIME: Form = {
  compared: /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?)?)?)?$/,
  equal: /^(?:[\dTZ:.-]*\*[\dTZ:.*-]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/i,
  words:
    'a time in UTC, such as 2026-06-15 or 2026-06-15T10:30; behind «:» and «=» with «*», such as 2026-06-15*',
};

interface Field {
  readonly read: Reader;
  readonly meaning: string;
  /** Without it any text. */
  readonly form?: Form;
}

/** Fields of the filter: each name with the values that an exchange has under it. */
const FIELDS: Readonly<Record<string, Field>> = {
  id: { read: ({ exchange }) => [exchange.call.id], meaning: 'id of the exchange' },
  status: {
    read: ({ exchange }) => [exchange.answer?.status],
    meaning: 'HTTP status of the answer',
    form: NUMBER,
  },
  method: { read: ({ exchange }) => [exchange.call.request.method], meaning: 'HTTP method' },
  path: { read: ({ exchange }) => [exchange.call.request.path], meaning: 'path without query' },
  operation: { read: ({ exchange }) => [exchange.call.operation ?? 'none'], meaning: 'operation id' },
  listener: { read: ({ exchange }) => [exchange.call.listener], meaning: 'api, psu or callback' },
  source: { read: ({ exchange }) => [exchange.answer?.source], meaning: 'who answered' },
  tpp: {
    read: ({ exchange }) => [exchange.call.tpp ?? 'none'],
    meaning: 'organizationIdentifier of the TPP',
  },
  consent: {
    read: ({ exchange: { call } }) => [call.params.consentId, call.header['consent-id']],
    meaning: 'consent id in path or header',
  },
  payment: { read: ({ exchange }) => [exchange.call.params.paymentId], meaning: 'payment id in the path' },
  account: { read: ({ exchange }) => [exchange.call.params.accountId], meaning: 'account id in the path' },
  'request-id': { read: ({ exchange }) => [exchange.call.header['x-request-id']], meaning: 'X-Request-ID' },
  ms: {
    read: ({ exchange }) => [exchange.elapsed.total],
    meaning: 'milliseconds until the answer',
    form: NUMBER,
  },
  at: {
    read: ({ exchange }) => [new Date(exchange.call.at).toISOString()],
    meaning: 'time, ISO 8601 in UTC',
    form: TIME,
  },
  fault: { read: ({ exchange }) => [exchange.fault?.kind], meaning: 'kind of a transport failure' },
  rule: { read: ({ findings }) => findings.map(({ rule }) => rule), meaning: 'rule that was violated' },
  severity: {
    read: ({ findings }) => findings.map(({ severity }) => severity),
    meaning: 'severity of a finding',
  },
  judges: { read: ({ findings }) => findings.map(({ judges }) => judges), meaning: 'tpp or aspsp at fault' },
};

export const FILTER_FIELDS: readonly (readonly [name: string, meaning: string])[] = Object.entries(
  FIELDS,
).map(([name, { meaning }]) => [name, meaning]);

const LONGEST = 1_000;
const TERM =
  /(?<turn>-?)(?<name>[a-z-]+)(?<operator>[:=!<>]+)(?:"(?<quoted>(?:[^"\\]|\\.)*)(?<end>"?)|(?<plain>[^\s"]*))/y;

/**
 * Compiles a filter. Terms stand side by side and must all hold; `-` before a term turns it round; `:` and `=` take
 * `*` as any text and commas as alternatives, `>` `>=` `<` `<=` compare numbers, or texts such as times.
 * Throws a usage error that names the place, or the term and what is allowed there: nothing is left to be found wrong
 * at a record.
 */
export function parseFilter(text: string): Filter {
  if (text.length > LONGEST) throw new SandgateError('filter.too-long', { most: LONGEST });
  const terms: Filter[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, TERM.lastIndex)) {
    TERM.lastIndex = at;
    const term = TERM.exec(text)?.groups;
    if (term === undefined) {
      throw new SandgateError('filter.unreadable', { at: at + 1, text: text.slice(at, at + 20) });
    }
    terms.push(compileTerm(term as unknown as Term));
  }
  return (record) => terms.every((term) => term(record));
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  return at;
}

/** A term as it is written. */
interface Term {
  readonly turn: '' | '-';
  readonly name: string;
  readonly operator: string;
  readonly quoted?: string;
  /** The closing quote. */
  readonly end?: '' | '"';
  readonly plain?: string;
}

function compileTerm({ turn, name, operator, quoted, end, plain = '' }: Term): Filter {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) {
    const names = Object.keys(FIELDS);
    throw new SandgateError('filter.unknown-name', {
      name,
      nearest: nearestOf(name, names),
      names: names.join(', '),
    });
  }
  const wrong = (what: string) =>
    new SandgateError('filter.term', { term: `${name}${operator}${quoted ?? plain}`, what });
  if (!OPERATORS.includes(operator))
    throw wrong(`has the operator «${operator}»; there are ${OPERATORS.join(' ')}`);
  if (end === '') throw wrong('has a quote that is not closed');
  const wanted = quoted?.replace(/\\(.)/g, '$1') ?? plain;
  if (wanted === '') throw wrong('has no value');
  const { read, form } = field;
  if (form !== undefined && !hasForm(form, operator, wanted)) throw wrong(`needs ${form.words}`);
  const matches = compileMatch(operator, wanted);
  const turned = (turn === '-') !== (operator === '!=');
  return (record) => read(record).some((value) => value !== undefined && matches(value)) !== turned;
}

function hasForm({ compared, equal }: Form, operator: string, wanted: string): boolean {
  return isComparison(operator) ? compared.test(wanted) : wanted.split(',').every((one) => equal.test(one));
}

function compileMatch(operator: string, wanted: string): (value: string | number) => boolean {
  if (!isComparison(operator)) {
    const patterns = wanted.split(',').map(globOf);
    return (value) => patterns.some((pattern) => pattern(String(value)));
  }
  const compare = COMPARISONS[operator];
  const number = Number(wanted);
  return (value) => {
    if (typeof value === 'number') return compare(value - number);
    return compare(value < wanted ? -1 : value > wanted ? 1 : 0);
  };
}

const COMPARISONS = {
  '>': (difference: number) => difference > 0,
  '>=': (difference: number) => difference >= 0,
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
} as const;
const OPERATORS: readonly string[] = [':', '=', '!=', ...Object.keys(COMPARISONS)];

function isComparison(operator: string): operator is keyof typeof COMPARISONS {
  return Object.hasOwn(COMPARISONS, operator);
}

/** `*` is any text; letter case does not count. */
function globOf(pattern: string): (value: string) => boolean {
  const fits = createGlob(pattern.toLowerCase());
  return (value) => fits(value.toLowerCase());
}
