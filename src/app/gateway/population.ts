/** Opens the population of the living bank as configured. */
import type { Population } from '../../bank/index.js';

export function openPopulation(): Population {
  return NOBODY;
}

const NOBODY: Population = {
  seed: null,
  count: 0,
  psus: () => [],
  psu: () => undefined,
  psuByLogin: () => undefined,
  accountsOf: () => [],
  account: () => undefined,
  accountByIban: () => undefined,
  postings: () => [],
  balance: () => 0,
  countPostings: () => 0,
  postingsPage: () => [],
};
