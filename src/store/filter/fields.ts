/** The fields of an exchange in the filter language. */
import { namedResources, timeOfId } from '../../exchange/index.js';
import type { RecordedExchange } from '../recorded.js';
import type { FilterField } from './tree.js';

/** The values of a field that does not take any text. */
interface Form {
  readonly compared: RegExp;
  /** Behind `:` and `=`, each of the alternatives. */
  readonly equal: RegExp;
  readonly words: string;
}

const NUMBER: Form = {
  compared: /^\d+(?:\.\d+)?$/,
  equal: /^[\d.*]+$/,
  words: 'a number; behind “:” and “=” also with “*”, such as 4*',
};
/** Times are compared as texts, so that any beginning of one will do; equal is only a whole one. */
const TIME: Form = {
  compared: /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?)?)?)?$/,
  equal: /^(?:[\dTZ:.-]*\*[\dTZ:.*-]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/i,
  words:
    'a time in UTC, such as 2026-06-15 or 2026-06-15T10:30; behind “:” and “=” with “*”, such as 2026-06-15*',
};

/** The gravest first. */
const SEVERITIES = ['must', 'should', 'note'] as const;

/** Operators of a field that is not compared. */
export const EQUALS: readonly string[] = [':', '=', '!='];

interface Field {
  /** undefined: it has none. */
  readonly read: (record: RecordedExchange) => readonly (string | number | undefined)[];
  readonly meaning: string;
  /** Without it any text. */
  readonly form?: Form;
  /** Without it all. */
  readonly operators?: readonly string[];
  /** A value fits where it holds what is looked for, not only where it is all of it. */
  readonly isWithin?: true;
  /** A term that uses it, for the documents. */
  readonly example: string;
}

/** Fields of the filter: each name with the values that an exchange has under it. */
export const FIELDS: Readonly<Record<FilterField, Field>> = {
  id: {
    read: ({ exchange }) => [exchange.call.id],
    meaning: 'id of the exchange',
    example: 'id:1KZ3V8Q0M2A',
  },
  status: {
    read: ({ exchange }) => [exchange.answer?.status],
    meaning: 'HTTP status of the answer',
    example: 'status>=400',
    form: NUMBER,
  },
  method: {
    read: ({ exchange }) => [exchange.call.request.method],
    meaning: 'HTTP method',
    example: 'method:post',
  },
  path: {
    read: ({ exchange }) => [exchange.call.request.path],
    meaning: 'path without query',
    example: 'path:*/balances',
  },
  operation: {
    read: ({ exchange }) => [exchange.call.operation ?? 'none'],
    meaning: 'operation id',
    example: 'operation:accounts.*',
  },
  listener: {
    read: ({ exchange }) => [exchange.call.listener],
    meaning: 'api, psu or callback',
    example: 'listener:psu',
  },
  source: {
    read: ({ exchange }) => [exchange.answer?.source],
    meaning: 'who answered',
    example: 'source:rule,gateway',
  },
  tpp: {
    read: ({ exchange }) => [exchange.call.tpp ?? 'none'],
    meaning: 'organizationIdentifier of the TPP',
    example: 'tpp:PSDBE-*',
  },
  sender: {
    read: ({ exchange }) => [exchange.call.connection.sender],
    meaning: 'sandgate: calls that the gateway sent itself, for its operator; `-sender:*` leaves them out',
    example: 'sender:sandgate',
  },
  journey: {
    read: ({ exchange }) => namedResources(exchange).map(({ id }) => id),
    meaning:
      'consent or payment id: finds creation, discovery, authorize, token, reads and notifications, refused ones too, also those with its token that name another consent',
    example: 'journey:VALID_CONSENT_ID',
  },
  consent: {
    read: ({ exchange: { call } }) => [call.params.consentId, call.header['consent-id']],
    meaning: 'consent id in path or header',
    example: 'consent:VALID_CONSENT_ID',
  },
  payment: {
    read: ({ exchange }) => [exchange.call.params.paymentId],
    meaning: 'payment id in the path',
    example: 'payment:*',
  },
  account: {
    read: ({ exchange }) => [exchange.call.params.accountId],
    meaning: 'account id in the path',
    example: 'account:*',
  },
  'request-id': {
    read: ({ exchange }) => [exchange.call.header['x-request-id']],
    meaning: 'X-Request-ID',
    example: 'request-id:99391c7e-*',
  },
  ms: {
    read: ({ exchange }) => [exchange.elapsed.total],
    meaning: 'milliseconds until the answer',
    example: 'ms>250',
    form: NUMBER,
  },
  at: {
    read: ({ exchange }) => [new Date(exchange.call.at).toISOString()],
    meaning: 'time, ISO 8601 in UTC',
    example: 'at>=2026-06-15T10',
    form: TIME,
  },
  recorded: {
    read: ({ exchange }) => {
      const at = timeOfId(exchange.call.id);
      return [at === null ? undefined : new Date(at).toISOString()];
    },
    meaning: 'as `at`, by the clock of the machine, which nobody moves',
    example: 'recorded>=2026-06-15T10',
    form: TIME,
  },
  fault: {
    read: ({ exchange }) => [exchange.fault?.kind],
    meaning: 'kind of a transport failure',
    example: 'fault:timeout',
  },
  injected: {
    read: ({ exchange: { injected } }) => [injected?.fault, injected?.kind],
    meaning: 'id or kind of a fault that an operator set',
    example: 'injected:*',
  },
  rule: {
    read: ({ findings }) => findings.map(({ rule }) => rule),
    meaning: 'rule that was violated',
    example: 'rule:oauth/*',
  },
  severity: {
    read: ({ findings }) => findings.map(({ severity }) => severity),
    meaning: 'severity of a finding',
    example: 'severity:must',
  },
  worst: {
    read: ({ findings }) => [
      SEVERITIES.find((one) =>
        findings.some(({ severity, waived }) => severity === one && waived === undefined),
      ),
    ],
    meaning: 'severity of the gravest finding that is not waived',
    example: 'worst:must',
  },
  judges: {
    read: ({ findings }) => findings.map(({ judges }) => judges),
    meaning: 'tpp or aspsp at fault',
    example: 'judges:aspsp',
  },
  text: {
    read: textsOf,
    meaning: 'any text of method, target, header values, bodies and findings',
    example: 'text:"wrong IBAN"',
    operators: EQUALS,
    isWithin: true,
  },
};

/** All that free text is looked for in. Bodies that are kept in base64 hold no text. */
function textsOf({ exchange: { call, answer }, findings }: RecordedExchange): (string | undefined)[] {
  const { request } = call;
  const messages = answer === null ? [request] : [request, answer];
  return [
    request.method,
    request.target,
    ...messages.flatMap(({ headers, body }) => [
      ...headers.map(([, value]) => value),
      body?.base64 ? undefined : body?.text,
    ]),
    ...findings.flatMap(({ rule, place, expected, actual }) => [rule, place, expected, actual]),
  ];
}

export const FILTER_FIELDS: readonly (readonly [name: string, meaning: string, example: string])[] =
  Object.entries(FIELDS).map(([name, { meaning, example }]) => [name, meaning, example]);
