/** Transactions of an account of the living bank: what the bank itself moves and payments, booked and pending, in pages. */
import {
  type Account,
  type BankConsent,
  type Books,
  booksSeenBy,
  countBooked,
  covers,
  pageOfBooked,
  pendingEntries,
  shownId,
  standingOrdersOf,
} from '../../bank/index.js';
import { bankDayAt, dateOf, dayOf, daysBetween, LIMITS } from '../../spec/index.js';
import { answerTransaction, refuseHistory } from '../emulator/accounts.js';
import type { Links } from '../emulator/links.js';
import {
  MOST_PER_PAGE,
  pageLinks,
  readTransactionsQuery,
  type TransactionsQuery,
} from '../emulator/transactions-query.js';
import { openReply } from '../render.js';
import { accountOfCall, useOf } from './account-access.js';
import { balanceRecords, bookedRecord, entryRecord, standingOrderRecord } from './account-records.js';
import type { BodyMemory } from './body-memory.js';
import type { LivingBank, LivingHandler } from './living.js';

interface Shown {
  readonly books: Books;
  readonly consent: BankConsent;
  readonly account: Account;
  readonly asked: TransactionsQuery;
  readonly now: number;
}

export function createLivingTransactions(bank: LivingBank, remember: BodyMemory): LivingHandler {
  const { dialect } = bank.links;
  return (call, moment) => {
    const permitted = accountOfCall(bank, call, moment, 'transactions');
    if ('status' in permitted) return { answer: permitted };
    const { consent, account } = permitted;
    const { now } = moment;
    const asked = readTransactionsQuery(call, dialect, bankDayAt(now), MOST_PER_PAGE);
    if ('status' in asked) return { answer: asked };
    const isBeyond = daysBetween(asked.dateFrom, dateOf(bankDayAt(now))) > dialect.historyDays;
    if (isBeyond && !mayReadHistory(consent, now)) return { answer: refuseHistory(call, dialect) };
    const shown: Shown = { books: moment.books, consent, account, asked, now };
    const name = `transactions ${account.resourceId} ${Object.values(asked).join(' ')}`;
    const rendered = remember(name, { consent, accounts: [account], moment }, () =>
      report(shown, bank.links),
    );
    return {
      answer: openReply(call, { source: 'emulator', status: 200, rendered }),
      changes: useOf(consent, now, isBeyond),
    };
  };
}

/** How far back one transaction is looked for, where its TPP may read beyond the ordinary history. */
const LONGEST_HISTORY_DAYS = 730;

/** One transaction, among those that the call could list. */
export function createLivingTransaction(bank: LivingBank): LivingHandler {
  return (call, moment) => {
    const permitted = accountOfCall(bank, call, moment, 'transactions');
    if ('status' in permitted) return { answer: permitted };
    const { consent, account } = permitted;
    const { now, books } = moment;
    const { currency, resourceId } = account;
    const today = bankDayAt(now);
    const days = mayReadHistory(consent, now) ? LONGEST_HISTORY_DAYS : bank.links.dialect.historyDays;
    const period = { from: today - days, to: today };
    const page = { now, offset: 0, limit: countBooked(books, resourceId, period, now) };
    const entries = [
      ...pageOfBooked(books, resourceId, period, page).map((one) => bookedRecord(one, currency)),
      ...pendingEntries(books, account, now).map((one) => entryRecord(one, currency)),
    ];
    return { answer: answerTransaction(call, entries), changes: useOf(consent, now) };
  };
}

/** Reading `history-after-sca`: for some minutes from the SCA, and from each answer that held such transactions. */
function mayReadHistory({ scaAt, historyAt }: BankConsent, now: number): boolean {
  return now - Math.max(scaAt ?? 0, historyAt ?? 0) <= LIMITS.historyAfterScaMs;
}

function report({ books, consent, account, asked, now }: Shown, links: Links) {
  const { iban, currency, resourceId } = account;
  const { bookingStatus, page, pageSize } = asked;
  const parts: Record<string, unknown> = {};
  let pages = 1;
  let entries: number | undefined;
  if (bookingStatus === 'booked' || bookingStatus === 'both' || bookingStatus === 'all') {
    const period = { from: dayOf(Date.parse(asked.dateFrom)), to: dayOf(Date.parse(asked.dateTo)) };
    const seen = booksSeenBy(books, resourceId, period, asked.entries, now);
    const all = countBooked(seen, resourceId, period, now);
    // Transactions booked since the first page come before all that this client saw.
    entries = Math.min(asked.entries ?? all, all);
    pages = Math.max(1, Math.ceil(entries / pageSize));
    const offset = page * pageSize;
    const of = {
      now,
      offset: all - entries + offset,
      limit: Math.min(pageSize, Math.max(0, entries - offset)),
    };
    parts.booked = pageOfBooked(seen, resourceId, period, of).map((one) => bookedRecord(one, currency));
  }
  // Pending transactions have no booking date yet, and come before all booked ones.
  if (bookingStatus !== 'booked' && bookingStatus !== 'information')
    parts.pending =
      page === 0 ? pendingEntries(books, account, now).map((one) => entryRecord(one, currency)) : [];
  if (bookingStatus === 'information')
    parts.information = standingOrdersOf(books, resourceId).map((one) => standingOrderRecord(one));
  const { balances: toBalances, ...others } = pageLinks(
    links,
    shownId(consent, resourceId),
    asked,
    pages,
    entries,
  );
  const mayReadBalances = covers(consent, account, 'balances');
  return {
    account: { iban, currency },
    transactions: {
      ...parts,
      _links: { ...others, ...(mayReadBalances && toBalances ? { balances: toBalances } : {}) },
    },
    ...(asked.withBalance && mayReadBalances ? { balances: balanceRecords(books, account, now) } : {}),
  };
}
