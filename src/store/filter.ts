/** The filter language of recordings: `status>=400 operation:accounts.* -rule:oauth/*`, all terms together. */
import { createGlob } from '../exchange/index.js';
import { nearestOf, SandgateError } from '../spec/index.js';
import type { RecordedExchange } from './store.js';

export type Filter = (record: RecordedExchange) => boolean;

type Value = string | number | undefined;
type Reader = (record: RecordedExchange) => readonly Value[];

/** What can be asked for: each name with the values that an exchange has under it. */
const FIELDS: Readonly<Record<string, { readonly read: Reader; readonly meaning: string }>> = {
  id: { read: ({ exchange }) => [exchange.call.id], meaning: 'id of the exchange' },
  status: { read: ({ exchange }) => [exchange.answer?.status], meaning: 'HTTP status of the answer' },
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
  ms: { read: ({ exchange }) => [exchange.elapsed.total], meaning: 'milliseconds until the answer' },
  at: {
    read: ({ exchange }) => [new Date(exchange.call.at).toISOString()],
    meaning: 'time, ISO 8601 in UTC',
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
const TERM = /(-?)([a-z-]+)(>=|<=|!=|>|<|=|:)("(?:[^"\\]|\\.)*"|[^\s"]*)/y;

/**
 * Compiles a filter. Terms stand side by side and must all hold; `-` before a term turns it round; `:` and `=` take
 * `*` as any text and commas as alternatives, `>` `>=` `<` `<=` compare numbers, or texts such as times.
 * Throws a usage error that names the place.
 */
export function parseFilter(text: string): Filter {
  if (text.length > LONGEST)
    throw new SandgateError('usage', `The filter is longer than ${LONGEST} characters.`);
  const terms: Filter[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, TERM.lastIndex)) {
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    if (match === null) {
      throw new SandgateError(
        'usage',
        `The filter cannot be read at character ${at + 1} («${text.slice(at, at + 20)}»): a term is name, operator, value, such as status>=400 or operation:accounts.*`,
      );
    }
    terms.push(
      compileTerm(match[1] === '-', match[2] as string, match[3] as string, unquote(match[4] as string)),
    );
  }
  return (record) => terms.every((term) => term(record));
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  return at;
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}

function compileTerm(negated: boolean, name: string, operator: string, wanted: string): Filter {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) {
    const names = Object.keys(FIELDS);
    throw new SandgateError(
      'usage',
      `The filter asks for «${name}», which is not known; did you mean «${nearestOf(name, names)}»? Known: ${names.join(', ')}.`,
    );
  }
  if (wanted === '') throw new SandgateError('usage', `The filter's term «${name}${operator}» has no value.`);
  const matches = compileMatch(name, operator, wanted);
  const turned = negated !== (operator === '!=');
  return (record) => field.read(record).some((value) => value !== undefined && matches(value)) !== turned;
}

function compileMatch(name: string, operator: string, wanted: string): (value: string | number) => boolean {
  if (operator === ':' || operator === '=' || operator === '!=') {
    const patterns = wanted.split(',').map(globOf);
    return (value) => patterns.some((pattern) => pattern(String(value)));
  }
  const number = Number(wanted);
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
  return (value) => {
    if (typeof value === 'string') return compare(value < wanted ? -1 : value > wanted ? 1 : 0);
    if (Number.isNaN(number)) {
      throw new SandgateError(
        'usage',
        `The filter compares ${name} with «${wanted}», which is not a number.`,
      );
    }
    return compare(value - number);
  };
}

const COMPARISONS = {
  '>': (difference: number) => difference > 0,
  '>=': (difference: number) => difference >= 0,
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
} as const;

/** `*` is any text; letter case does not count. */
function globOf(pattern: string): (value: string) => boolean {
  const fits = createGlob(pattern.toLowerCase());
  return (value) => fits(value.toLowerCase());
}
