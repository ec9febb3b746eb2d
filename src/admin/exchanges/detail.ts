/** One exchange in full: as it was recorded, with what the catalogue says of each finding, and where each points. */
import * as z from 'zod';
import { certificateCard } from '../../certificate/index.js';
import { WITHHELD } from '../../exchange/index.js';
import { ruleText } from '../../report/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { named, party, type Shown, severity } from '../api/schemas.js';
import { gravestFirst } from './brief.js';
import { refusalOf } from './reason.js';
import { mark, markOf, sentenceOf } from './sentence.js';
import { type Summary, summary } from './summary.js';

const body = z
  .object({
    text: z.string(),
    base64: z.literal(true).optional(),
    size: z.int(),
    truncated: z.literal(true).optional(),
    sha256: z.string().optional(),
  })
  .nullable();
const headers = z.array(z.tuple([z.string(), z.string()])).describe('In their order, duplicates kept.');

const finding = named(
  'Finding',
  z.object({
    rule: z.string(),
    severity,
    judges: party,
    place: z.string(),
    expected: z.string(),
    actual: z.string().optional().describe('Absent where nothing stood there.'),
    waived: z.string().optional().describe('The reason of the waiver that covers it.'),
    sentence: z.string().describe('What was sent, and what has to be there instead.'),
    statement: z.string().describe('True when the traffic complies.'),
    why: z.string(),
    fix: z.string(),
    example: z.string().describe('Of what complies.'),
    clauses: z.array(z.object({ id: z.string(), section: z.string(), text: z.string() })),
    sources: z.array(
      z.object({ title: z.string(), place: z.string().nullable(), link: z.string().nullable() }),
    ),
    mark,
  }),
);

export const detail = named(
  'Exchange',
  summary.extend({
    sentence: z
      .string()
      .describe('What was sent, and what to send instead: of the gravest finding, or of `refusal`.'),
    refusal: z
      .string()
      .nullable()
      .describe('What the answer says of why it refuses, where no must rule says it.'),
    findings: z.array(finding).describe('The gravest first.'),
    verdicts: z.record(z.string(), z.enum(['complied', 'violated', 'not-observed'])),
    call: z.object({
      at: z.number().describe('Epoch ms, by the clock that all is judged by.'),
      ahead: z.number().describe('How far that clock was ahead of the machine’s, in ms.'),
      connection: z.looseObject({ address: z.string() }),
      certificate: z.union([z.enum(['absent', 'not-observed']), z.looseObject({ subject: z.string() })]),
      params: z.record(z.string(), z.string()),
      allow: z.array(z.string()).optional(),
      nearest: z.string().optional().describe('Nearest known path, where the path is unknown.'),
      request: z.object({ method: z.string(), target: z.string(), headers, body }),
    }),
    answer: z.object({ source: z.string(), status: z.int(), headers, body }).nullable(),
    card: z
      .array(z.tuple([z.string(), z.string()]))
      .describe('What the certificate says, line by line; empty where none is recorded.'),
    sealCard: z
      .array(z.tuple([z.string(), z.string()]))
      .describe('The same of the certificate that signed the request.'),
    failure: z.object({ kind: z.string(), message: z.string() }).nullable(),
    elapsed: z
      .object({
        total: z.number(),
        answerer: z.number(),
        firstByte: z.number().optional().describe('Of the bank’s answer, from when the bank was asked.'),
      })
      .describe('In ms.'),
    previous: z.string().nullable().describe('The exchange that was recorded before it.'),
    next: z.string().nullable(),
  }),
);

export type Detail = Shown<typeof detail>;

export function showExchange(
  record: RecordedExchange,
  short: Summary,
  beside: Pick<Detail, 'previous' | 'next'>,
): Detail {
  const { exchange, verdicts } = record;
  const { call, answer, fault, elapsed } = exchange;
  const { at, ahead, connection, certificate, seal, params, allow, nearest, request } = call;
  const shown = typeof certificate === 'string' ? certificate : { ...certificate };
  return {
    ...short,
    sentence: summaryOf(record),
    refusal: refusalOf(record),
    findings: findingsOf(record),
    verdicts,
    call: { at, ahead, connection: { ...connection }, certificate: shown, params, allow, nearest, request },
    answer,
    card: typeof certificate === 'string' ? [] : certificateCard(certificate, at),
    sealCard: typeof seal === 'object' ? certificateCard(seal, at) : [],
    failure: fault,
    elapsed,
    ...beside,
  };
}

function findingsOf({ exchange, findings }: RecordedExchange): Detail['findings'] {
  return gravestFirst(findings).map((one) => {
    const text = ruleText(one.rule, [], one.expected);
    return {
      ...one,
      ...text,
      sentence: sentenceOf(one, exchange),
      example: text.examples.complies,
      mark: markOf(one.place, exchange),
    };
  });
}

function summaryOf(record: RecordedExchange): string {
  const { withheld } = record.exchange;
  if (withheld !== undefined) return WITHHELD[withheld];
  const refusal = refusalOf(record);
  if (refusal !== null) return refusal;
  const { exchange, findings } = record;
  const [worst] = gravestFirst(findings);
  if (worst !== undefined)
    return `${sentenceOf(worst, exchange)} ${ruleText(worst.rule, [], worst.expected).fix}`;
  const { call, answer, fault } = exchange;
  if (fault !== null) return fault.message;
  const { method, path } = call.request;
  return `${method} ${path} was answered ${answer?.status ?? 'by nobody'}; no rule was violated.`;
}
