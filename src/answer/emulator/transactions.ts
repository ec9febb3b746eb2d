/** Transactions of the account: a range of dates, booked and pending, in pages. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import {
  type BookingStatus,
  dateOf,
  dayOf,
  isBookingStatus,
  isDate,
  LIMITS,
  SANDBOX,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import { balanceRecords, bookedEntries, type DatedEntry, pendingEntries } from './account-records.js';
import type { Bank, Handler } from './bank.js';
import { href } from './links.js';

interface Asked {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly bookingStatus: BookingStatus;
  readonly withBalance: boolean;
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
}

const MOST_PER_PAGE = 100;
const INDEX = /^\d{1,6}$/;

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
    const day = dayOf(now);
    const asked = readQuery(call, day, data.transactions.pageSize);
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

function report(bank: Bank, asked: Asked, all: readonly DatedEntry[], pending: readonly unknown[]) {
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
  return { ...parts, _links: pageLinks(bank, asked, pages) };
}

function pageLinks({ links }: Bank, asked: Asked, pages: number): Record<string, { href: string }> {
  const account = links.v1(`/accounts/${SANDBOX.accountId}`);
  const query = `dateFrom=${asked.dateFrom}&dateTo=${asked.dateTo}&bookingStatus=${asked.bookingStatus}`;
  const balance = asked.withBalance ? '&withBalance=true' : '';
  const to = (page: number) =>
    href(`${account}/transactions?${query}${balance}&itemsPerPage=${asked.pageSize}&page=${page}`);
  const last = pages - 1;
  return {
    account: href(account),
    balances: href(`${account}/balances`),
    transactions: to(asked.page),
    first: to(0),
    ...(asked.page > 0 ? { previous: to(Math.min(asked.page - 1, last)) } : {}),
    ...(asked.page < last ? { next: to(asked.page + 1) } : {}),
    last: to(last),
  };
}

/** A date that is not said never stands behind the one that is: the links of a page repeat both. */
function rangeOf(from: string | undefined, to: string | undefined, today: number) {
  const [oldest, newest] = [dateOf(today - LIMITS.transactionHistoryDays), dateOf(today)];
  return {
    dateFrom: from ?? (to !== undefined && to < oldest ? to : oldest),
    dateTo: to ?? (from !== undefined && from > newest ? from : newest),
  };
}

function readQuery(call: Call, today: number, defaultSize: number): Asked | Answer {
  for (const path of ['entryReferenceFrom', 'deltaList'])
    if (queryValue(call, path) !== undefined) return refuse(call, 'PARAMETER_NOT_SUPPORTED', { path });
  const bookingStatus = queryValue(call, 'bookingStatus') ?? '';
  if (!isBookingStatus(bookingStatus)) return refuse(call, 'FORMAT_ERROR', { path: 'bookingStatus' });
  const [from, to] = [queryValue(call, 'dateFrom'), queryValue(call, 'dateTo')];
  if (from !== undefined && !isDate(from)) return refuse(call, 'FORMAT_ERROR', { path: 'dateFrom' });
  if (to !== undefined && !isDate(to)) return refuse(call, 'FORMAT_ERROR', { path: 'dateTo' });
  if (from !== undefined && to !== undefined && from > to)
    return refuse(call, 'PERIOD_INVALID', { path: 'dateFrom' });
  const page = queryValue(call, 'page') ?? queryValue(call, 'pageIndex') ?? '0';
  if (!INDEX.test(page)) return refuse(call, 'FORMAT_ERROR', { path: 'page' });
  const size = queryValue(call, 'itemsPerPage') ?? String(defaultSize);
  if (!INDEX.test(size) || Number(size) < 1) return refuse(call, 'FORMAT_ERROR', { path: 'itemsPerPage' });
  return {
    ...rangeOf(from, to, today),
    bookingStatus,
    withBalance: queryValue(call, 'withBalance') === 'true',
    page: Number(page),
    pageSize: Math.min(Number(size), MOST_PER_PAGE),
  };
}
