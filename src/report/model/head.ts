/** The report model of its head and its recipe: what was judged and how, who called, against whom. */

import * as z from 'zod';
import { isTimeZone } from '../../ledger/index.js';
import { notedProfile } from '../../spec/index.js';
import { count, time } from './basics.js';
import { statistics } from './seen.js';

const profile = z.enum(['sandbox', 'production']);

export const head = z.strictObject({
  title: z.string(),
  purpose: z.string().nullable().default(null).describe('Why it was made, as its maker says.'),
  preparedBy: z.string().nullable().default(null),
  madeFor: z.string().nullable().default(null),
  recording: z.strictObject({
    kind: z.enum(['store', 'cassette', 'har']),
    name: z.string().describe('The session, or the file as the user named it.'),
    session: z.string().nullable(),
    from: time.nullable().describe('When it was recorded, by the clock of the machine.'),
    to: time.nullable(),
    exchanges: count,
    skipped: z
      .record(z.string(), count)
      .describe('Entries of a file that are no exchange of the interface, by reason.'),
  }),
  clock: z
    .strictObject({
      sentence: z.string(),
      exchanges: count.describe('Judged by another time than the machine’s.'),
      times: count.describe('How often the clock was moved while it was recorded.'),
      from: time
        .nullable()
        .describe('Earliest and latest time that the moved clock showed when it was moved.'),
      to: time.nullable(),
      moves: z
        .array(
          z.strictObject({
            at: time.describe('By the clock of the machine.'),
            from: time.nullable().describe('null: it was set so before the first call.'),
            to: time,
            mode: z.string(),
            speed: z.string(),
          }),
        )
        .describe('The first of them.'),
    })
    .nullable()
    .default(null)
    .describe('null: the clock was that of the machine.'),
  unrecorded: z
    .strictObject({ sentence: z.string(), calls: count, from: time, to: time })
    .nullable()
    .default(null)
    .describe('Calls that were answered and could not be recorded, as far as gateways counted them.'),
  madeAt: time
    .nullable()
    .describe('Only where the user asks for it: the same recording gives the same bytes.'),
  gateway: z.strictObject({ name: z.literal('sandgate'), version: z.string() }),
  profile: z.strictObject({
    judged: profile,
    periods: z
      .array(profile)
      .optional()
      .describe('Where calls were judged under several, these in order; `judged` is that of the last.'),
    recorded: z.array(z.string()).describe('Profiles that were in force while it was recorded.'),
    rejudged: z.boolean().describe('Judged again for this report, not as it was live.'),
  }),
  bankProfiles: z
    .array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        digest: z.string().nullable().describe('null: the built-in interface.'),
      }),
    )
    .optional()
    .describe('Bank profiles that calls were judged by, in order. Absent: the built-in interface alone.'),
  stances: z.array(z.string()),
  sources: z.array(z.string()).describe('Settings of `source` that were in force.'),
  dailyWindow: z.string(),
  catalogue: z.strictObject({
    digest: z.string().describe('SHA-256, hex, over ids, severities and statements of all rules.'),
    rules: count,
  }),
  ownRules: z
    .array(
      z.strictObject({
        file: z.string().describe('As the settings name it.'),
        digest: z.string().describe('SHA-256, hex, of what the file holds.'),
        rules: z.array(z.string()).describe('Their ids, as far as the file is at hand.'),
      }),
    )
    .describe('Files of own rules. Ids of own rules begin with `x-`; their texts are those of the files.')
    .optional(),
  overrides: z.array(
    z.strictObject({
      rule: z.string(),
      severity: z.string(),
      standard: z.string().describe('Its severity otherwise.'),
      reason: z.string().describe("Where the bank's profile gives it.").exactOptional(),
    }),
  ),
  waivers: z.array(
    z.strictObject({
      rule: z.string(),
      reason: z.string(),
      operation: z.string().nullable(),
      tpp: z.string().nullable(),
      path: z.string().nullable(),
      until: z.string(),
      used: count.describe('Findings that it covers.'),
    }),
  ),
  faults: z
    .array(
      z.strictObject({
        fault: z.string().describe('Its id.'),
        kind: z.string(),
        from: time.describe('When it was set, or met its first call, by the clock of the gateway.'),
        calls: count.describe('Calls that it met.'),
      }),
    )
    .default([])
    .describe('Faults that operators set. Latency and errors leave out what they did.'),
  changes: z
    .array(
      z.strictObject({ at: time, kind: z.string(), settings: z.array(z.tuple([z.string(), z.string()])) }),
    )
    .describe('Starts, stops and changes of a switch during the session.'),
  notes: z
    .array(z.string())
    .describe('What the reader must know of this report: what was cut, what is not known.'),
});

export const tpp = z.strictObject({
  id: z.string().describe('organizationIdentifier, else cert:<fingerprint>.'),
  name: z.string().nullable(),
  country: z.string().nullable(),
  roles: z.array(z.string()),
  nca: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
  certificates: z.array(z.strictObject({ fingerprint: z.string(), notBefore: time, notAfter: time })),
  exchanges: count,
  first: time,
  last: time,
});

export const otherCallers = z
  .strictObject({
    psu: count.describe("PSUs' browsers."),
    noCertificate: count.describe('Clients that showed no certificate, and connections that failed.'),
    notObserved: count.describe('Clients of whom the recording holds no certificate.'),
    notListed: count.describe('TPPs beyond those that are listed.'),
    gateway: count.describe('Notifications that the gateway sent.'),
  })
  .default({ psu: 0, noCertificate: 0, notObserved: 0, notListed: 0, gateway: 0 })
  .describe('Exchanges of nobody in `tpps`: with theirs they are all.');

const shownCertificate = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  serialNumber: z.string(),
  fingerprint: z.string().describe('SHA-256, hex.'),
  notAfter: time,
});

export const counterpart = z.strictObject({
  source: z.enum(['emulator', 'upstream', 'replay', 'rule', 'gateway', 'tpp', 'none']),
  meaning: z.string(),
  exchanges: count,
  hosts: z.array(z.string()).describe('As the client named them.'),
  banks: z
    .array(z.string())
    .default([])
    .describe('Addresses at which the gateway asked the bank, as far as the session notes them.'),
  shown: z
    .array(shownCertificate)
    .default([])
    .describe('The gateway’s certificates, which the bank saw instead of those of the TPPs.'),
});

const waiver = z.strictObject({
  rule: z.string(),
  match: z
    .strictObject({
      operation: z.string().optional(),
      tpp: z.string().optional(),
      path: z.string().optional(),
    })
    .optional(),
  reason: z.string(),
  until: z.string(),
});

/** The recipe of a report: what is needed to make it again from the same recording. */
const judging = z.strictObject({
  profile: z.enum(['sandbox', 'production']),
  dailyWindow: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('calendar-day'),
      timeZone: z.string().refine(isTimeZone, 'a time zone is expected'),
    }),
    z.strictObject({ kind: z.literal('rolling') }),
  ]),
  blockedOrganisations: z.array(z.string()),
  notificationAllow: z
    .array(z.string())
    .nullable()
    .describe('null: of traffic of others, where any host is.'),
  bankOrigins: z.array(z.string()),
  segment: z.string(),
  bankProfile: notedProfile.describe('Absent: the built-in interface.').optional(),
  overrides: z.record(z.string(), z.enum(['must', 'should', 'note', 'off'])),
  waivers: z.array(waiver),
  ownRules: z
    .array(z.strictObject({ name: z.string(), digest: z.string() }))
    .describe('Files of own rules that it was judged by.')
    .optional(),
});

const caps = z.strictObject({
  occurrences: count.describe('Listed of one rule.'),
  appendix: count,
  lanes: count,
  steps: count.describe('Of one journey.'),
  rows: count.describe('Of any other table that grows with the traffic.'),
});

export const recipe = z.strictObject({
  rejudged: z.boolean(),
  judging,
  judgings: z
    .array(judging)
    .describe('Of a session whose settings changed, those of each period in order; `judging` is the last.')
    .optional(),
  tpp: z.string().optional().describe('Only exchanges of this TPP were read; the chain is about all.'),
  host: z.string().nullable().describe('Only calls to this host were read, of a file.'),
  earlier: z
    .strictObject({ sessions: z.array(z.string()), leftAside: count })
    .describe('Earlier sessions whose consents and tokens were known, and how many were left aside.'),
  unfinished: z
    .array(z.string())
    .describe(
      'Ids of exchanges that had been begun, and of which no end was recorded, when the report was made.',
    )
    .optional(),
  statistics: statistics.describe('The bank’s own statistics, as they were read of a file.').optional(),
  caps,
});
