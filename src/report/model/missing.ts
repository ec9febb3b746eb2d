/** The report model of gaps: for production, and for a whole test. */
import * as z from 'zod';
import { count, time } from './basics.js';

export const GAP_KINDS = [
  'no-bank',
  'test-certificate',
  'missing-role',
  'sandbox-client',
  'sandbox-id',
  'http-redirect',
  'empty-state',
  'graver',
  'untried',
] as const;

export const gap = z.strictObject({
  kind: z.enum(GAP_KINDS),
  what: z.string().describe('A sentence.'),
  mend: z.string().describe('A sentence: what to do.'),
  times: count.describe('Calls that it was seen in; 0 of what never happened.'),
  since: time.exactOptional(),
  tpp: z.string().exactOptional().describe('Whose it is, where one organisation can be named.'),
  rule: z.string().exactOptional(),
});

export const notTested = z.strictObject({
  area: z.enum(['bank', 'operations', 'authorisation', 'errors', 'rules']),
  what: z.string().describe('A sentence: what never happened.'),
  why: z.string().describe('A sentence: why that matters.'),
});
