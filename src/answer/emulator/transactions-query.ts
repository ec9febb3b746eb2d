/** Reads queries for transactions and makes the links to their pages, for both banks. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { type BookingStatus, type Dialect, dateOf, isBookingStatus, isDate } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { href, type Links } from './links.js';

export interface TransactionsQuery {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly bookingStatus: BookingStatus;
  readonly withBalance: boolean;
  readonly page: number;
  readonly pageSize: number;
  /** How many entries there were when the first page was read, as its links say; null where they do not. */
  readonly entries: number | null;
}

export const MOST_PER_PAGE = 100;
type PageLinks = Record<string, { readonly href: string }>;

const WHOLE = /^\d{1,6}$/;
const SHOWN = 40;

/**
 * `pages`: how many there are, one at least; `entries`: of a bank where more may come while pages are read. Only the link to
 * the first page begins anew.
 */
export function pageLinks(
  links: Links,
  accountId: string,
  asked: TransactionsQuery,
  pages: number,
  entries?: number,
): PageLinks {
  const query = `dateFrom=${asked.dateFrom}&dateTo=${asked.dateTo}&bookingStatus=${asked.bookingStatus}`;
  const balance = asked.withBalance ? '&withBalance=true' : '';
  const path = links.to('accounts.transactions', { accountId });
  const begin = (page: number) =>
    href(`${path}?${query}${balance}&itemsPerPage=${asked.pageSize}&page=${page}`);
  const to = (page: number) => {
    const { href: address } = begin(page);
    return href(entries === undefined ? address : `${address}&entries=${entries}`);
  };
  const last = pages - 1;
  return {
    ...links.named('account', 'accounts.read', { accountId }),
    balances: href(links.to('accounts.balances', { accountId })),
    transactions: to(asked.page),
    first: begin(0),
    ...(asked.page > 0 ? { previous: to(Math.min(asked.page - 1, last)) } : {}),
    ...(asked.page < last ? { next: to(asked.page + 1) } : {}),
    last: to(last),
  };
}

/** A date that is not said never stands behind the one that is: the links of a page repeat both. */
function rangeOf(from: string | undefined, to: string | undefined, today: number, { historyDays }: Dialect) {
  const [oldest, newest] = [dateOf(today - historyDays), dateOf(today)];
  return {
    dateFrom: from ?? (to !== undefined && to < oldest ? to : oldest),
    dateTo: to ?? (from !== undefined && from > newest ? from : newest),
  };
}

/** Or the answer where it is not right (readings `transactions-query`, `date-range-inclusive`). */
export function readTransactionsQuery(
  call: Call,
  dialect: Dialect,
  today: number,
  defaultSize: number,
): TransactionsQuery | Answer {
  for (const path of ['entryReferenceFrom', 'deltaList'])
    if (queryValue(call, path) !== undefined) return refuse(call, 'PARAMETER_NOT_SUPPORTED', { path });
  const bookingStatus = queryValue(call, 'bookingStatus') ?? '';
  if (!isBookingStatus(bookingStatus)) return refuse(call, 'FORMAT_ERROR', { path: 'bookingStatus' });
  const [from, to] = [queryValue(call, 'dateFrom'), queryValue(call, 'dateTo')];
  if (from !== undefined && !isDate(from)) return refuse(call, 'FORMAT_ERROR', { path: 'dateFrom' });
  if (to !== undefined && !isDate(to)) return refuse(call, 'FORMAT_ERROR', { path: 'dateTo' });
  if (from !== undefined && to !== undefined && from > to)
    return refuse(call, 'PERIOD_INVALID', { path: 'dateFrom' });
  const page = readWhole(call, queryValue(call, 'page') === undefined ? 'pageIndex' : 'page', 0, 0);
  if (typeof page !== 'number') return page;
  const size = readWhole(call, 'itemsPerPage', 1, defaultSize);
  if (typeof size !== 'number') return size;
  const entries = queryValue(call, 'entries') ?? '';
  return {
    ...rangeOf(from, to, today, dialect),
    bookingStatus,
    withBalance: queryValue(call, 'withBalance') === 'true',
    page,
    pageSize: Math.min(size, MOST_PER_PAGE),
    entries: WHOLE.test(entries) ? Number(entries) : null,
  };
}

function readWhole(call: Call, name: string, least: number, absent: number): number | Answer {
  const value = queryValue(call, name);
  if (value === undefined) return absent;
  if (WHOLE.test(value) && Number(value) >= least) return Number(value);
  const text = `${name}: expected a whole number from ${least} to 999999, found ${value.slice(0, SHOWN)}.`;
  return refuse(call, 'FORMAT_ERROR', { path: name, text });
}
