/**
 * What the PSU granted by a sandbox consent. Access, frequency and end are the sandbox's own, whatever the creation
 * asked for, so that they are those of one consent (reading `consent-read-body`).
 */
import { dateOf, SANDBOX, type SandboxConsent } from '../../spec/index.js';
import type { Bank } from './bank.js';

/** Counted from the day of the call, as all of the sandbox's data: what is valid never comes to its end. */
export function consentTerms(
  { data: { accounts }, links }: Pick<Bank, 'data' | 'links'>,
  { scope, status }: SandboxConsent,
  day: number,
) {
  const { consentDays, accessesPerDay } = links.dialect;
  const chosen = accounts.accounts
    .filter(({ resourceId }) => resourceId === SANDBOX.accountId)
    .map(({ iban, currency }) => ({ iban, currency }));
  return {
    // A preselected consent is one on the account that can be read (reading `consent-scopes-of-ids`).
    access:
      scope === 'preselected'
        ? { accounts: chosen, balances: chosen, transactions: chosen }
        : { [scope]: 'allAccounts' },
    recurringIndicator: true,
    validUntil: dateOf(status === 'expired' ? day - 1 : day + consentDays),
    frequencyPerDay: accessesPerDay,
  };
}
