/** An exchange as a list shows it: one line, without its bodies. */
import { z } from 'zod';
import { resourceOf, seeExchange } from '../../report/index.js';
import { GRAVITY } from '../../rules/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { count, named, party, type Shown, severity, time } from '../api/schemas.js';
import type { ExchangesPort } from './port.js';

export const resource = z
  .object({ kind: z.enum(['consent', 'payment']), id: z.string() })
  .describe('The consent or payment that it is about.');

const mark = z.object({
  ...{ rule: z.string(), severity, judges: party, place: z.string() },
  waived: z.boolean(),
});

export const summary = named(
  'ExchangeSummary',
  z.object({
    ...{ id: z.string(), at: time, session: z.string() },
    listener: z.enum(['api', 'psu', 'callback']),
    ...{ method: z.string(), path: z.string() },
    operation: z.string().nullable().describe('null where path or method is unknown.'),
    status: z.int().nullable().describe('null where there was no answer.'),
    ms: z.number(),
    source: z.string().nullable().describe('Who answered.'),
    tpp: z.string().nullable(),
    fault: z.string().nullable().describe('Kind of a failure of transport.'),
    worst: severity.nullable().describe('The gravest finding that is not waived.'),
    findings: z.array(mark),
    resource: resource.nullable(),
  }),
);

export const list = named(
  'ExchangeList',
  z.object({
    exchanges: z.array(summary).describe('The newest first.'),
    examined: count.describe('How many were read.'),
    indexedUpTo: z
      .string()
      .nullable()
      .describe('Everything up to this exchange is found by the index; what is newer is searched.'),
    next: z.string().nullable().describe('`before` of the next page; null at the beginning of the session.'),
  }),
);

export type Summary = Shown<typeof summary>;

export function summarise(
  record: RecordedExchange,
  { ledgerOf, fingerprint }: Pick<ExchangesPort, 'ledgerOf' | 'fingerprint'>,
): Summary {
  const { exchange, findings } = record;
  const { call, answer, fault, elapsed } = exchange;
  const seen = seeExchange(record, 0, ledgerOf(call.session));
  // Every member is written out: a spread makes an object of a slower kind, and this is done for each exchange.
  return {
    id: call.id,
    at: seen.at,
    session: call.session,
    listener: call.listener,
    method: call.request.method,
    path: call.request.path,
    operation: call.operation,
    status: seen.status,
    ms: elapsed.total,
    source: answer?.source ?? null,
    tpp: call.tpp,
    fault: fault?.kind ?? null,
    worst: worstOf(findings),
    findings: seen.marks,
    resource: resourceOf(seen, fingerprint),
  };
}

export function worstOf(findings: RecordedExchange['findings']): Summary['worst'] {
  let worst: Summary['worst'] = null;
  for (const { severity: one, waived } of findings)
    if (waived === undefined && (worst === null || GRAVITY[one] < GRAVITY[worst])) worst = one;
  return worst;
}
