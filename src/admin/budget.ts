/** A daily limit as the API shows it: used, left, and when one access frees up. */
import * as z from 'zod';
import type { Budget } from '../ledger/index.js';
import { count, named, type Shown, time } from './api/schemas.js';

export const budget = named(
  'Budget',
  z.object({
    tpp: z.string(),
    consent: z.string(),
    operation: z.string(),
    account: z.string().nullable().describe('null for the list of accounts.'),
    used: count,
    allowed: count,
    left: count,
    freesUpAt: time,
    freesUp: z.string().describe('The same in words, by the clock that the bank counts by.'),
  }),
);

export type ShownBudget = Shown<typeof budget>;

export function showBudget(known: Budget): ShownBudget {
  const { tpp, consentId, operation, accountId, used, allowed, left, freesUpAt, freesUp } = known;
  return {
    tpp,
    consent: consentId,
    operation,
    // The list of accounts is of none in particular.
    account: accountId === '' ? null : accountId,
    used,
    allowed,
    left,
    freesUpAt: new Date(freesUpAt).toISOString(),
    freesUp,
  };
}
