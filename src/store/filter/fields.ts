/** What the filter language can ask of an exchange. */
import type { RecordedExchange } from '../recorded.js';
import type { FilterField } from './tree.js';

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
  /** undefined: it has none. */
  readonly read: (record: RecordedExchange) => readonly (string | number | undefined)[];
  readonly meaning: string;
  /** Without it any text. */
  readonly form?: Form;
}

/** Fields of the filter: each name with the values that an exchange has under it. */
export const FIELDS: Readonly<Record<FilterField, Field>> = {
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
