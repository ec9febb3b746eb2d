/** The report model of what was done and how the bank was reached: the second page of a dossier. */
import * as z from 'zod';
import { count, time } from './basics.js';

const unlessAlone = count.nullable().describe('null: no PSU takes part, so it cannot happen.');

export const exercised = z
  .strictObject({
    rows: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        done: count.describe('The sum of the outcomes; 0: not tested.'),
        outcomes: z.strictObject({
          success: count,
          refusedByPsu: unlessAlone,
          timeout: unlessAlone,
          wrongCredentials: unlessAlone,
          bankError: count.describe('5xx, no answer, or an error of the bank in the SCA.'),
          refused: count.describe('4xx, or the bank rejected the PSU.'),
          injected: count
            .default(0)
            .describe('Ended by a fault that an operator set: neither the bank nor the TPP did that.'),
          open: count.describe('It did not end, or the recording does not tell how.'),
        }),
      }),
    ),
  })
  .default({ rows: [] })
  .describe('Operations against how they ended for the TPP, whoever answered.');

export const access = z
  .array(
    z.strictObject({
      tpp: z.string(),
      kind: z.enum([
        'all-accounts',
        'list-of-accounts',
        'list-with-balances',
        'chosen-accounts',
        'chosen-at-the-bank',
        'not-recorded',
      ]),
      label: z.string(),
      consents: count.describe('Authorised or used.'),
      askedFor: z
        .array(z.string())
        .describe('Rights, in a fixed order; empty if the creation is not recorded.'),
      neverUsed: z.array(
        z.strictObject({
          right: z.string(),
          consents: count.describe('That asked for it, and never used it.'),
        }),
      ),
      omitted: count.describe('Consents too many to follow: of these it is not known what they used.'),
    }),
  )
  .default([])
  .describe('Minimal access: rights that consents ask for, and those that calls used.');

const ms = z.number().min(0);
const speed = z
  .strictObject({ count, averageMs: ms.nullable(), p95Ms: ms.nullable().describe('Within one per cent.') })
  .describe('Of answers below 500, from when the bank was asked.');

const figures = {
  calls: count.describe('To the bank, ended in a known way.'),
  technical: count.describe('Failed: no answer within 30 s, no connection, an answer broken off, or 5xx.'),
  business: count.describe(
    'Refused by the bank with 4xx, though the call violated no rule of severity must.',
  ),
  mistakes: count.describe('Refused by the bank with 4xx, and the call violated such a rule.'),
  unavailable: z
    .strictObject({
      periods: count,
      atLeastMs: ms.describe('From the first failed call of each period to its last one.'),
      atMostMs: ms
        .nullable()
        .describe(
          'From the last good answer before to the first good one after it; null: there is none on one side.',
        ),
    })
    .describe('Periods of five or more failed calls in a row.'),
  longestGapMs: ms.nullable().describe('Longest time without a call; null: there was only one.'),
  firstByte: speed.describe(
    'Count 0: not recorded. It is of what a bank answered to a gateway, and of HAR files of other programs.',
  ),
  lastByte: speed,
};

const rate = z.number().min(0).max(100).nullable();
export const publishedRow = z.strictObject({
  day: z.iso.date(),
  service: z.enum(['AIS', 'PIS', 'CBPII']),
  availability: rate.describe('Per cent.'),
  errorRate: rate.describe('Per cent.'),
  averageMs: ms.nullable(),
});

export const statistics = z.strictObject({ name: z.string(), rows: z.array(publishedRow) });

/** Reports of older versions lack them. */
const elsewhere = count.default(0);

export const availability = z
  .strictObject({
    zone: z.string().describe('Time zone of the days.'),
    note: z.string().describe('Who answered.'),
    outside: z
      .strictObject({
        emulator: count,
        replay: count,
        refused: count.describe('By the gateway.'),
        injected: count.describe('Kept from the bank by a fault that an operator set.'),
        unknown: count.describe('Nobody knows how they ended: the client went away, say.'),
        noService: elsewhere.describe('Unknown paths, discovery, tokens of no known consent or payment.'),
        pages: elsewhere.describe('Pages of the PSU listener.'),
        callbacks: elsewhere.describe('Notifications to TPPs.'),
        connections: elsewhere.describe('Connections that never became a call.'),
      })
      .describe(
        'Calls that say nothing of a bank. With those of the services they are all calls of the report.',
      ),
    services: z
      .array(
        z.strictObject({
          service: publishedRow.shape.service,
          total: z.strictObject(figures),
          days: z
            .array(z.strictObject({ day: z.iso.date(), ...figures }))
            .describe(
              'From the first day to the last; calls 0: nobody asked. What goes over midnight counts for each day with its part.',
            ),
          omittedDays: count,
          periods: z
            .array(
              z.strictObject({
                from: time.describe('First failed call.'),
                to: time.describe('Last failed call.'),
                lastGood: time.nullable().describe('End of the last good answer before.'),
                firstGood: time.nullable().describe('End of the first good answer after.'),
                calls: count,
                presumed: z.boolean().describe('Five or more: counted as unavailable.'),
                atLeastMs: ms,
                atMostMs: ms.nullable(),
              }),
            )
            .describe('Two or more failed calls in a row, in order of time.'),
          omittedPeriods: count,
        }),
      )
      .describe('Only of calls that a bank was asked for.'),
    published: z
      .strictObject({
        name: z.string(),
        rows: z.array(
          z.strictObject({
            published: publishedRow,
            seen: z.strictObject({
              availabilityFrom: z
                .number()
                .nullable()
                .describe('By the longest unavailability; null: not known.'),
              availabilityTo: z.number().describe('By the shortest.'),
              errorRate: rate,
              averageMs: ms.nullable(),
            }),
            differs: z
              .boolean()
              .nullable()
              .describe('Published is more than can have been, by what was seen.'),
          }),
        ),
        notSeen: count.describe('Published for days on which no call was seen.'),
      })
      .nullable()
      .default(null)
      .describe('Days of the bank’s own statistics beside what was seen.'),
  })
  .default({
    zone: 'Europe/Brussels',
    note: '',
    outside: {
      ...{ emulator: 0, replay: 0, refused: 0, injected: 0, unknown: 0 },
      ...{ noService: 0, pages: 0, callbacks: 0, connections: 0 },
    },
    services: [],
    published: null,
  });
