/** The bank's side, traffic in numbers, evidence, and the appendix. */
import * as z from 'zod';
import { count, mark, percentiles, severity, tally, time } from './basics.js';

export const bankDeviation = z.strictObject({
  rule: z.string(),
  severity,
  statement: z.string(),
  count,
  operations: z.array(z.string()),
  sources: z.array(z.string()).describe('Who gave the answers: emulator, upstream, replay.'),
  seen: z.array(z.string()).describe('What stood there instead, the first few different ones.'),
  rely: z.string().describe('What a client may rely on all the same.'),
  exchanges: z.array(z.string()).describe('The first few.'),
});

export const reading = z.strictObject({
  id: z.string(),
  clause: z.string(),
  section: z.string(),
  open: z.string().describe('What the specification says, or that it says nothing.'),
  chosen: z.string(),
  why: z.string(),
  source: z.string(),
  observed: z
    .array(tally)
    .describe('What the answers of this recording did; empty where none could show it.'),
});

export const traffic = z.strictObject({
  exchanges: count,
  bytesIn: count.describe('Of request bodies.'),
  bytesOut: count.describe('Of answer bodies.'),
  operations: z.array(
    z.strictObject({
      operation: z.string().nullable(),
      calls: count,
      statuses: z.array(tally),
      errors: count.describe('Answers of 400 or more, and calls without answer.'),
      injected: count
        .default(0)
        .describe(
          'Calls of which a fault kept the bank’s answer: statuses and errors have what the bank answered, if it was asked.',
        ),
      gateway: percentiles,
      bank: percentiles,
    }),
  ),
  latency: z.strictObject({
    total: percentiles,
    gateway: percentiles.describe('The gateway’s own share.'),
    bank: percentiles,
    histogram: z
      .array(
        z.strictObject({
          from: z.number(),
          to: z.number().nullable().describe('null: without end.'),
          gateway: count,
          bank: count,
        }),
      )
      .describe('Milliseconds.'),
  }),
  faults: z.array(
    z.strictObject({ kind: z.string(), count, message: z.string().describe('Of the first one.') }),
  ),
  overTime: z.strictObject({
    spanSeconds: z.number().min(0).describe('Length of each span.'),
    spans: z.array(z.strictObject({ at: time, calls: count, errors: count })).describe('At most 120.'),
  }),
});

export const evidence = z.strictObject({
  level: z
    .enum(['witnessed', 'consistent', 'imported', 'broken'])
    .default('consistent')
    .describe(
      'witnessed: a key that the maker of the report trusts signed the chain as it was recorded. consistent: the chain is whole, and nobody witnessed it. imported: out of a file. broken: the chain is not whole.',
    ),
  kind: z
    .enum(['chain', 'file'])
    .describe('chain: of the store; file: only a digest of the file that was read.'),
  head: z.string().nullable().describe('Hash of the newest link; null without exchanges.'),
  last: z.string().nullable().describe('The exchange whose link the head is.'),
  links: count,
  entries: count
    .default(0)
    .describe(
      'Entries of the chain when the report was made: exchanges, beginnings and notes, removed ones too.',
    ),
  end: z.string().nullable().default(null).describe('Hash of the last of these entries.'),
  chains: z
    .array(
      z.strictObject({
        store: z.string().describe('What the chain calls its store, with the gateway that recorded it.'),
        entries: count,
        head: z.string().describe('Hash of the last of them.'),
      }),
    )
    .default([])
    .describe('Of a session that several gateways recorded, each in a chain of its own; else empty.'),
  removed: z
    .strictObject({
      exchanges: count,
      from: z.string().describe('The first of them.'),
      to: z.string().describe('The last of them.'),
      unwitnessed: z
        .literal(true)
        .optional()
        .describe('No checkpoint covers a note that tells of it: anybody may have removed them.'),
    })
    .nullable()
    .default(null)
    .describe('What the gateway itself removed of the session, as it is set up to.'),
  witness: z
    .strictObject({
      key: z.string().describe('SHA-256 of the public key that signed, hex.'),
      checkpoints: count.describe('Signed with it, and as the chain is.'),
      differing: count.describe('Signed with it, and not as the chain is.'),
      from: time.nullable().describe('Of the first checkpoint.'),
      to: time.nullable().describe('Of the last one.'),
      exchanges: count.describe('Records that checkpoints cover.'),
      left: count.describe('Records that none covers.'),
      notes: z
        .strictObject({
          left: count,
          first: z
            .array(z.strictObject({ store: z.string(), entry: count, kind: z.string() }))
            .describe('The first of them, by their chains.'),
        })
        .optional()
        .describe('Notes of settings, removals and the like that none covers; absent where there are none.'),
      outside: count
        .optional()
        .describe('Checkpoints that were given from outside the store, and are not in it.'),
      stamps: z
        .strictObject({
          anchors: z
            .array(z.string())
            .describe(
              'SHA-256, hex, of the certificates of authorities that they were checked against; without any they were not checked.',
            ),
          authorities: z.array(z.string()).describe('Who stamped, by the subjects of their certificates.'),
          shown: count.describe('Checkpoints that a time stamp shows to have been made when they say.'),
          unchecked: count.describe('Checkpoints with a time stamp that was not checked.'),
          wanting: count.describe('Checkpoints whose time stamp is missing, or is not as it must be.'),
          from: time.nullable().describe('Of the first time stamp that was checked and is sound.'),
          to: time.nullable().describe('Of the last one.'),
        })
        .nullable()
        .default(null)
        .describe('Time stamps (RFC 3161) of these checkpoints; null where there are none.'),
    })
    .nullable()
    .default(null)
    .describe('Who signed the chain as it was recorded; null where no checkpoint could be checked.'),
  gaps: count.describe('Exchanges that are missing.'),
  breaks: z.array(
    z.strictObject({
      kind: z.enum([
        'changed',
        'missing',
        'cut',
        'added',
        'beginning',
        'session',
        'disturbed',
        'chain',
        'erased',
        'removed',
      ]),
      seq: z.int(),
      exchange: z.string().nullable(),
      missing: count,
    }),
  ),
  omittedBreaks: count,
  sentence: z.string(),
  fileDigest: z.string().nullable().describe('SHA-256, hex.'),
});

export const appendix = z.strictObject({
  exchanges: z.array(
    z.strictObject({
      seq: z.int(),
      id: z.string(),
      at: time,
      tpp: z.string().nullable(),
      sender: z
        .literal('sandgate')
        .nullable()
        .default(null)
        .describe('sandgate: the gateway sent it itself, for its operator; no TPP is judged by it.'),
      listener: z.enum(['api', 'psu', 'callback']),
      operation: z.string().nullable(),
      method: z.string(),
      path: z.string(),
      requestId: z.string().nullable(),
      status: z.int().nullable(),
      source: z.string().nullable(),
      ms: z.number(),
      bankMs: z.number(),
      firstByteMs: z
        .number()
        .nullable()
        .default(null)
        .describe('Part of bankMs, to the first byte of the bank’s answer; null: not recorded.'),
      fault: z.string().nullable(),
      injected: z.string().nullable().default(null).describe('The fault that an operator set, by its id.'),
      verdicts: z.strictObject({ complied: count, violated: count, notObserved: count }),
      findings: z.array(mark),
    }),
  ),
  omitted: count,
  note: z.string().nullable().describe('Says what was left out, where something was.'),
});
