/** The account that a request's reference names. */
import { memberOf } from '../../exchange/index.js';
import type { Account, Population } from './population.js';

/** By its IBAN, as people write it: in small letters or with blanks too. undefined where it is elsewhere. */
export function accountNamed(population: Population, reference: unknown): Account | undefined {
  const iban = memberOf(reference, 'iban');
  return typeof iban === 'string'
    ? population.accountByIban(iban.replaceAll(' ', '').toUpperCase())
    : undefined;
}
