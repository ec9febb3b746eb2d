/** The account that a request's reference names. */
import { memberOf } from '../../exchange/index.js';
import { plainIban } from '../../spec/index.js';
import { isOfOwnBank } from './identity.js';
import type { Account, Population } from './population.js';

/** By its IBAN, as people write it: in small letters or with blanks too. undefined where it is elsewhere. */
export function accountNamed(population: Population, reference: unknown): Account | undefined {
  const iban = ibanIn(reference);
  return iban === undefined ? undefined : population.accountByIban(iban);
}

/** Whether the reference names an account of this bank that nobody has. */
export function namesNobody(population: Population, reference: unknown): boolean {
  const iban = ibanIn(reference);
  return iban !== undefined && isOfOwnBank(iban) && population.accountByIban(iban) === undefined;
}

function ibanIn(reference: unknown): string | undefined {
  const iban = memberOf(reference, 'iban');
  return typeof iban === 'string' ? plainIban(iban) : undefined;
}
