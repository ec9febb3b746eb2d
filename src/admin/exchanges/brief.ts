/** One line about an exchange, for a list, a terminal or a log. */
import * as z from 'zod';
import { GRAVITY } from '../../rules/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { party, type Shown, severity, time } from '../api/schemas.js';
import { gravestOf, reasonOf } from './reason.js';
import { remedyOf } from './remedies.js';

const mark = z.object({
  rule: z.string(),
  severity,
  judges: party,
  place: z.string(),
  waived: z.boolean(),
});

export const brief = z.object({
  id: z.string().describe('Id of the exchange.'),
  at: time.describe('When it was called, ISO 8601 in UTC.'),
  session: z.string().describe('The session that it is recorded in.'),
  listener: z
    .enum(['api', 'psu', 'callback'])
    .describe('`api`, `psu` or `callback` (a notification to the TPP).'),
  method: z.string().describe('HTTP method; empty if the connection failed before a call.'),
  path: z.string().describe('Path, without query.'),
  operation: z.string().nullable().describe('Operation; null if path or method is unknown.'),
  status: z.int().nullable().describe('HTTP status; null without an answer.'),
  ms: z.number().describe('Milliseconds until the answer.'),
  source: z.string().nullable().describe('Who answered: rule, emulator, upstream, replay or gateway.'),
  tpp: z.string().nullable().describe('organizationIdentifier of the TPP; null if it showed none.'),
  sender: z
    .literal('sandgate')
    .nullable()
    .describe(
      'sandgate: the gateway called itself, for its operator (Send again, a first journey); null: a TPP or PSU did.',
    ),
  fault: z.string().nullable().describe('Kind of a transport failure; null if there was none.'),
  cause: z.string().nullable().describe('Its cause, in one sentence.'),
  remedy: z.string().nullable().describe('Its remedy.'),
  injected: z.string().nullable().describe('Id of the fault that was injected; null if none was.'),
  worst: severity
    .nullable()
    .describe('Severity of the gravest finding that is not waived: must, should or note.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it stands out, in a few words: the gravest finding and its place, else `cause`, else what a refusal says.',
    ),
  findings: z
    .array(mark)
    .describe('Violated rules: `rule`, `severity`, `judges` (tpp or aspsp), `place`, `waived`.'),
});

export type Brief = Shown<typeof brief>;

export function briefOf(record: RecordedExchange): Brief {
  const { exchange, findings } = record;
  const { call, answer, fault, elapsed, injected } = exchange;
  const gravest = gravestOf(findings);
  // Every member is written out: a spread makes an object of a slower kind, and this is done for each exchange.
  return {
    id: call.id,
    at: new Date(call.at).toISOString(),
    session: call.session,
    listener: call.listener,
    method: call.request.method,
    path: call.request.path,
    operation: call.operation,
    status: answer?.status ?? null,
    ms: elapsed.total,
    source: answer?.source ?? null,
    tpp: call.tpp,
    sender: call.connection.sender ?? null,
    fault: fault?.kind ?? null,
    cause: fault?.message ?? null,
    remedy: remedyOf(exchange),
    injected: injected?.fault ?? null,
    worst: gravest?.severity ?? null,
    reason: reasonOf(record, gravest),
    findings: findings.map(({ rule, severity, judges, place, waived }) => ({
      rule,
      severity,
      judges,
      place,
      waived: waived !== undefined,
    })),
  };
}

export const worstOf = (findings: RecordedExchange['findings']): Brief['worst'] =>
  gravestOf(findings)?.severity ?? null;

/** null: nothing was found. */
export function graver(one: Brief['worst'], other: Brief['worst']): Brief['worst'] {
  if (one === null || other === null) return one ?? other;
  return GRAVITY[one] <= GRAVITY[other] ? one : other;
}

export const gravestFirst = (findings: RecordedExchange['findings']) =>
  [...findings].sort(
    (a, b) =>
      Number(a.waived !== undefined) - Number(b.waived !== undefined) ||
      GRAVITY[a.severity] - GRAVITY[b.severity],
  );
