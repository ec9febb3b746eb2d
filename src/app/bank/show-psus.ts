/** Who there is in the living bank, as it is listed: it is a sandbox, log-in and password belong to it. */
import type { Account, Population, Psu } from '../../bank/index.js';

export interface ShownPsu extends Psu {
  readonly accounts: readonly Pick<Account, 'resourceId' | 'iban' | 'currency' | 'name' | 'status'>[];
}

export function showPsus(population: Population, from: number, limit: number): readonly ShownPsu[] {
  return population.psus(from, limit).map((psu) => ({
    ...psu,
    accounts: population
      .accountsOf(psu.id)
      .map(({ resourceId, iban, currency, name, status }) => ({ resourceId, iban, currency, name, status })),
  }));
}
