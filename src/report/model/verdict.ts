/** The verdict of a report, and what became of it since an older one. */
import * as z from 'zod';
import { count, judges, severity } from './basics.js';

export const outcome = z.enum([
  'must-violated',
  'should-violated',
  'complied',
  'not-observed',
  'not-applicable',
]);

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
    .describe('Each rule of the catalogue counted once.'),
  findings: z.strictObject({ must: count, should: count, note: count, waived: count }),
});

export const verdict = z.strictObject({
  sentence: z.string().describe('The whole verdict in plain words.'),
  tpp: party,
  aspsp: party,
});

const compared = z.strictObject({
  rule: z.string(),
  severity,
  judges,
  operation: z.string().nullable(),
  place: z.string(),
  count: count.describe('Findings now; of a fixed one, then.'),
});

/** Findings are the same where rule, operation and place are. */
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
