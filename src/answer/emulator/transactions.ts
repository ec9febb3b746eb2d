/** Transactions of the account: a range of dates, booked and pending, in pages. */
import type { Answer, Call } from '../../exchange/index.js';
import { bankDayAt, LIMITS, SANDBOX } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import { balanceRecords, bookedEntries, type DatedEntry, pendingEntries } from './account-records.js';
import type { Bank, Handler } from './bank.js';
import { pageLinks, readTransactionsQuery, type TransactionsQuery } from './transactions-query.js';

export function createTransactions(bank: Bank, permitted: (call: Call) => string | Answer): Handler {
  const { data } = bank;
  const own = data.accounts.accounts.find(({ resourceId }) => resourceId === SANDBOX.accountId);
  const account = { iban: own?.iban, currency: own?.currency };
  const entriesOf = createDayEntries(bank, account.currency ?? 'EUR');

  return (call, { now }) => {
    const permission = permitted(call);
    if (typeof permission !== 'string') return permission;
    // §Errors 5: the consent of that name is the error, whatever the dates.
    if (call.header['consent-id'] === SANDBOX.consent90dExpired)
      return refuse(call, 'CONSENT_EXPIRED', {
        text: `The access right to transactions older than ${LIMITS.transactionHistoryDays} days is expired.`,
      });
    const day = bankDayAt(now);
    const asked = readTransactionsQuery(call, day, data.transactions.pageSize);
    if ('status' in asked) return asked;
    const { booked, pending } = entriesOf(day);
    const transactions = report(bank, asked, booked, pending);
    const balances = asked.withBalance ? { balances: balanceRecords(data, SANDBOX.accountId, day) } : {};
    return answerJson(call, 'emulator', 200, { account, transactions, ...balances });
  };
}

/** The entries of a day are dated once. */
function createDayEntries({ data }: Bank, currency: string) {
  let known: { day: number; booked: DatedEntry[]; pending: unknown[] } | undefined;
  return (day: number) => {
    if (known?.day !== day)
      known = {
        day,
        booked: bookedEntries(data, currency, day),
        pending: pendingEntries(data, currency, day),
      };
    return known;
  };
}

function report(
  { links }: Bank,
  asked: TransactionsQuery,
  all: readonly DatedEntry[],
  pending: readonly unknown[],
) {
  const { bookingStatus, page, pageSize } = asked;
  const parts: Record<string, unknown> = {};
  let pages = 1;
  if (bookingStatus === 'booked' || bookingStatus === 'both' || bookingStatus === 'all') {
    const within = all.filter(({ date }) => date >= asked.dateFrom && date <= asked.dateTo);
    pages = Math.max(1, Math.ceil(within.length / pageSize));
    parts.booked = within.slice(page * pageSize, (page + 1) * pageSize).map(({ entry }) => entry);
  }
  // What is pending has no booking date yet, and stands before all that is booked.
  if (bookingStatus !== 'booked' && bookingStatus !== 'information')
    parts.pending = page === 0 ? pending : [];
  // Standing orders, of which the account has none.
  if (bookingStatus === 'information') parts.information = [];
  return { ...parts, _links: pageLinks(links.v1(`/accounts/${SANDBOX.accountId}`), asked, pages) };
}
