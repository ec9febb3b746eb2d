/** What a consent covers: accounts, and what may be read of each (reading `consent-coverage`). */
import { memberOf } from '../exchange/index.js';
import type { BankConsent } from './facts.js';
import { accountsIn } from './granted-access.js';
import type { Account, Population } from './population/index.js';

/** `listed`: the account stands in the list; `details`: it may be read by itself. */
export type Right = 'listed' | 'details' | 'balances' | 'transactions';

const GLOBAL_RIGHTS = {
  allPsd2: ['listed', 'details', 'balances', 'transactions'],
  availableAccounts: ['listed'],
  availableAccountsWithBalance: ['listed', 'balances'],
} as const satisfies Record<string, readonly Right[]>;

/** The accounts that the list shows, in the order of the bank. */
export function coveredAccounts(
  { access, psu }: Pick<BankConsent, 'access' | 'psu'>,
  population: Population,
): readonly Account[] {
  if (psu === null) return [];
  const owned = population.accountsOf(psu);
  if (access.kind !== 'dedicated' && access.kind !== 'offered') return owned;
  const ids = new Set(accountsIn(access));
  return owned.filter(({ resourceId }) => ids.has(resourceId));
}

export function covers({ access, psu }: BankConsent, account: Account, right: Right): boolean {
  if (psu === null || !account.owners.includes(psu)) return false;
  const { kind, accounts, balances, transactions } = access;
  if (kind !== 'dedicated' && kind !== 'offered') {
    const rights: readonly Right[] = GLOBAL_RIGHTS[kind];
    return rights.includes(right);
  }
  const id = account.resourceId;
  if (right === 'balances') return balances.includes(id);
  if (right === 'transactions') return transactions.includes(id);
  return accounts.includes(id) || balances.includes(id) || transactions.includes(id);
}

export function showsOwner({ access, asked }: BankConsent, { resourceId }: Account): boolean {
  const { kind } = access;
  return kind === 'dedicated' || kind === 'offered'
    ? access.ownerNames.includes(resourceId)
    : memberOf(asked, kind) === 'allAccountsWithOwnerName';
}
