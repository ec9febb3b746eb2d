/** The report model of findings, coverage, verdict and baseline. */
import * as z from 'zod';
import { count, judges, severity, tally, time } from './basics.js';

const clause = z.strictObject({
  id: z.string(),
  section: z.string(),
  text: z.string(),
  link: z.string().nullable().describe('null: the specification has no public address.'),
});

const source = z.strictObject({
  tag: z.string(),
  title: z.string(),
  place: z.string().nullable(),
  link: z.string().nullable(),
});

const occurrence = z.strictObject({
  id: z.string().describe('Unique in the report and the same each time: an anchor.'),
  exchange: z.string().describe('Its excerpt stands in `exchanges` under this id.'),
  at: time,
  tpp: z.string().nullable(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  requestId: z.string().nullable(),
  status: z.int().nullable(),
  place: z.string(),
  expected: z.string(),
  actual: z.string().nullable(),
  waived: z.string().nullable().describe('The reason of the waiver that covers it.'),
});

export const findingGroup = z.strictObject({
  rule: z.string(),
  severity,
  judges,
  statement: z.string(),
  clauses: z.array(clause),
  sources: z.array(source),
  why: z.string(),
  fix: z.string(),
  examples: z.strictObject({ complies: z.string(), violates: z.string() }),
  count,
  waived: count,
  calls: count.default(0).describe('Calls with a finding.'),
  outOf: count.default(0).describe('Calls in which the rule was complied with or violated.'),
  first: time.nullable().default(null).describe('When the first call with a finding came.'),
  last: time.nullable().default(null),
  operations: z.array(
    z.strictObject({ operation: z.string().nullable(), place: z.string(), count, waived: count }),
  ),
  occurrences: z.array(occurrence),
  omitted: count.describe('Findings beyond those listed.'),
});

/** Redacted; long bodies are cut, which `note` says. */
const excerpt = z.strictObject({
  startLine: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  note: z.string().nullable(),
});

export const citedExchange = z.strictObject({
  id: z.string(),
  request: excerpt,
  answer: excerpt.nullable().describe('null where none was given.'),
  fault: z.string().nullable(),
  injected: z.string().nullable().default(null).describe('What a fault did that an operator set.'),
  curl: z.string().describe('A line for a shell that sends the request again.'),
});

export const coverage = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        operation: z.string(),
        group: z.string(),
        method: z.string(),
        path: z.string(),
        summary: z.string(),
        calls: count,
        outcomes: z.strictObject({
          success: count,
          refused: count.describe('Refused by the gateway in stance enforce.'),
          clientError: count.describe('Other 4xx.'),
          serverError: count,
          none: count.describe('No answer.'),
        }),
        statuses: z.array(tally),
      }),
    )
    .describe('Every operation of the specification, called or not.'),
  unknownCalls: count.describe(
    'Calls on the API listener of no known operation; a connection that failed is none.',
  ),
  pages: count
    .default(0)
    .describe('Calls of browsers on the PSU listener that are no operation: forms and pages of the bank.'),
  sandboxIds: z.array(
    z.strictObject({
      kind: z.enum(['consent', 'payment', 'authorisation', 'code']),
      id: z.string(),
      meaning: z.string(),
      count,
    }),
  ),
  statuses: z.array(
    z.strictObject({
      kind: z.enum(['consent', 'payment', 'authorisation']),
      status: z.string(),
      count: count.describe('Answers with this status.'),
    }),
  ),
  scenarios: z.array(z.strictObject({ scenario: z.string(), meaning: z.string(), count })),
  authorisation: z
    .strictObject({ implicit: count, explicit: count })
    .describe('Creations by how they are authorised.'),
  links: z.strictObject({ direct: count, discovery: count }).describe('scaOAuth links by what they held.'),
  rules: z
    .array(
      z.strictObject({
        rule: z.string(),
        statement: z.string(),
        judges,
        severity: z.enum([...severity.options, 'off']),
        outcome: z.enum(['never-exercised', 'not-observed', 'violated', 'waived', 'complied', 'off']),
        complied: count,
        violated: count,
        notObserved: count,
      }),
    )
    .describe('Never exercised first, then not observed, violated, waived, complied, off.'),
});

const outcome = z.enum(['must-violated', 'should-violated', 'complied', 'not-observed', 'not-applicable']);

const party = z.strictObject({
  outcome,
  sentence: z.string(),
  rules: z
    .strictObject({
      mustViolated: count,
      shouldViolated: count,
      noteViolated: count,
      waived: count.describe('Violated, but every finding is waived.'),
      complied: count,
      notObserved: count,
      notApplicable: count.describe('Never exercised: no call was of the kind that they judge.'),
      off: count,
    })
    .describe('Each rule of the catalogue, and each own rule, counted once.'),
  findings: z.strictObject({ must: count, should: count, note: count, waived: count }),
});

const violatedRule = findingGroup.pick({
  ...{ rule: true, severity: true, count: true, waived: true, calls: true, outOf: true },
  ...{ first: true, last: true },
});

export const ANSWERERS = ['bank', 'emulator', 'replay', 'several', 'nobody'] as const;

export const verdict = z.strictObject({
  sentence: z.string().describe('The whole verdict in plain words.'),
  tpp: party.describe('All who called, together.'),
  tpps: z
    .array(
      z.strictObject({
        tpp: z
          .string()
          .nullable()
          .describe('As in `tpps`; null: calls of nobody known, where there is a finding on one.'),
        name: z.string().nullable(),
        exchanges: count.describe('Its own, those of PSUs that it sent, and notifications to it.'),
        ...party.shape,
        violated: z.array(violatedRule).describe('Rules with a finding, the gravest first.'),
      }),
    )
    .default([])
    .describe(
      'Each organisation by itself, in the order of `tpps`; those beyond the limit are in `tpp` alone.',
    ),
  aspsp: party.describe('Of the bank alone, where others answered as well.'),
  answerer: z
    .enum(ANSWERERS)
    .default('bank')
    .describe('Who answered in the place of the bank. `several`: the bank, and others as well.'),
});

const compared = z.strictObject({
  rule: z.string(),
  severity,
  judges,
  operation: z.string().nullable(),
  place: z.string(),
  count: count.describe('Findings now; of a fixed one, then.'),
});

export const baseline = z.strictObject({
  name: z.string(),
  session: z.string().nullable(),
  catalogueChanged: z.boolean(),
  profile: z.string(),
  new: z.array(compared),
  open: z.array(compared),
  fixed: z.array(compared),
  unknown: z.array(compared).describe('Not found again, but its rule was not exercised this time.'),
});
