/** The sandbox's accounts, balances and transactions as of one day, in the field names of the standard. */
import { dateOf, SANDBOX, type SandboxData } from '../../spec/index.js';
import { href, type Links } from './links.js';

type Account = SandboxData['accounts']['accounts'][number];
type Entry = SandboxData['transactions']['pending'][number];

export interface ListView {
  /** Whether each account links to itself, and ACCOUNT_ID to its data: so if the consent covers more than the list. */
  readonly links: boolean;
  readonly balances: 'none' | 'granted' | 'all';
}

export interface DatedEntry {
  readonly date: string;
  readonly entry: Record<string, unknown>;
}

/** Only ACCOUNT_ID can be read further: the others show what a missing right looks like (reading `account-list`). */
export function accountRecord(
  account: Account,
  { data, links, day }: { data: SandboxData; links: Links; day: number },
  view: ListView,
): Record<string, unknown> {
  const { resourceId } = account;
  const granted = resourceId === SANDBOX.accountId;
  const to = (right: 'read' | 'balances' | 'transactions') =>
    href(links.to(`accounts.${right}`, { accountId: resourceId }));
  return {
    ...account,
    ...(view.balances === 'all' || (view.balances === 'granted' && granted)
      ? { balances: balanceRecords(data, resourceId, day) }
      : {}),
    ...(view.links
      ? {
          _links: {
            ...links.named('account', 'accounts.read', { accountId: resourceId }),
            ...(granted ? { balances: to('balances'), transactions: to('transactions') } : {}),
          },
        }
      : {}),
  };
}

export function balanceRecords(data: SandboxData, resourceId: string, day: number): unknown[] {
  return (data.balances[resourceId] ?? []).map((balance) => ({
    balanceType: balance.balanceType,
    balanceAmount: { currency: balance.currency, amount: balance.amount },
    lastChangeDateTime: `${dateOf(day + balance.lastChange.day)}T${balance.lastChange.time}Z`,
    referenceDate: dateOf(day + balance.referenceDay),
  }));
}

export function bookedEntries({ transactions }: SandboxData, currency: string, day: number): DatedEntry[] {
  return transactions.booked
    .map(({ bookingDay, ...entry }) => {
      const date = dateOf(day + bookingDay);
      return { date, entry: entryRecord(entry, currency, day, { bookingDate: date }) };
    })
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

export function pendingEntries({ transactions }: SandboxData, currency: string, day: number) {
  return transactions.pending.map((entry) => entryRecord(entry, currency, day, {}));
}

/** Money that goes names its creditor, money that comes its debtor. */
function entryRecord(
  { transactionId, valueDay, amount, counterparty, remittance, bankTransactionCode }: Entry,
  currency: string,
  day: number,
  dates: Record<string, string>,
): Record<string, unknown> {
  const { name, iban } = counterparty;
  return {
    transactionId,
    ...dates,
    valueDate: dateOf(day + valueDay),
    transactionAmount: { currency, amount },
    ...(amount.startsWith('-')
      ? { creditorName: name, creditorAccount: { iban } }
      : { debtorName: name, debtorAccount: { iban } }),
    remittanceInformationUnstructured: remittance,
    bankTransactionCode,
  };
}
