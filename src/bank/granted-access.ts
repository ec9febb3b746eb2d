/** What a PSU gives by a consent: of what was asked for, what it owns and has selected. */
import { memberOf } from '../exchange/index.js';
import type { Access, BankConsent } from './facts.js';
import type { Account } from './population/index.js';

/**
 * The access once this PSU agrees; a text that says why not, where it cannot. `selected`: resource ids, where the
 * consent leaves the choice to the PSU; absent: all that can be selected.
 */
export function grantedAccess(
  { access, asked }: BankConsent,
  owned: readonly Account[],
  selected?: readonly string[],
): Access | string {
  const ids = new Set(owned.map(({ resourceId }) => resourceId));
  if (access.kind === 'dedicated') {
    const missing = accountsIn(access).find((id) => !ids.has(id));
    return missing === undefined ? access : 'The consent names an account that is not of this user.';
  }
  if (access.kind !== 'offered') return access;
  const offered = selectable(owned).map(({ resourceId }) => resourceId);
  const chosen = selected === undefined ? offered : offered.filter((id) => selected.includes(id));
  if (selected?.some((id) => !ids.has(id))) return 'An account was selected that is not of this user.';
  if (chosen.length === 0) return 'No account was selected that can be read.';
  const given = (list: string) => (Array.isArray(memberOf(asked, list)) ? chosen : []);
  return {
    ...access,
    accounts: chosen,
    balances: given('balances'),
    transactions: given('transactions'),
    ownerNames: memberOf(memberOf(asked, 'additionalInformation'), 'ownerName') == null ? [] : chosen,
  };
}

export function selectable(owned: readonly Account[]): Account[] {
  return owned.filter(({ status }) => status !== 'deleted');
}

/** All ids that stand in any of the lists, each once. */
export function accountsIn({ accounts, balances, transactions }: Access): string[] {
  return [...new Set([...accounts, ...balances, ...transactions])];
}
