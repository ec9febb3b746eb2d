/** The access of a consent as a TPP reads it: what was asked for, and once it is given, what was granted and no more. */
import type { BankConsent } from './facts.js';
import type { Population } from './population/index.js';

/** Reading `consent-read-living`. */
export function shownAccess({ access, asked, psu }: BankConsent, population: Population): object {
  const { kind, accounts, balances, transactions, ownerNames } = access;
  const hasLists = kind === 'dedicated' || (kind === 'offered' && psu !== null);
  if (!hasLists) return asked;
  const references = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const account = population.account(id);
      return account === undefined ? [] : [{ iban: account.iban, currency: account.currency }];
    });
  const given = { accounts, balances, transactions };
  return {
    ...Object.fromEntries(
      Object.entries(given)
        .filter(([, ids]) => ids.length > 0)
        .map(([list, ids]) => [list, references(ids)]),
    ),
    ...(ownerNames.length === 0 ? {} : { additionalInformation: { ownerName: references(ownerNames) } }),
  };
}
