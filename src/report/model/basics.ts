/** Small types that the parts of the report model share. */
import * as z from 'zod';

export const time = z.iso.datetime();
export const count = z.int().min(0);
export const severity = z.enum(['must', 'should', 'note']);
export const judges = z
  .enum(['tpp', 'aspsp'])
  .describe('Whose fault a violation is: the client’s or the bank’s.');

export const tally = z.strictObject({ value: z.string(), count });

/** A finding in short, where its rule stands elsewhere in the report. */
export const mark = z.strictObject({
  rule: z.string(),
  severity,
  judges,
  place: z.string(),
  waived: z.boolean(),
});

/** Milliseconds; null where nothing was measured. */
export const percentiles = z.strictObject({
  count,
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
});
