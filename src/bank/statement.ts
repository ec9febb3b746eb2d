/** An account as its reader sees it: booked and pending entries, of the population and of payments, and balances. */
import { bankDayAt, beginOfBankDay, DAY_MS, firstPlace } from '../spec/index.js';
import type { Books } from './books.js';
import { sidesOf } from './exchange-rates.js';
import type { BankPayment, StandingOrder } from './facts.js';
import { isOrder, partsOf } from './orders.js';
import { bookingEntry, debitEntry } from './payment-entries.js';
import { type Booking, inOrderOfExecution, isWaiting } from './payment-index.js';
import type { Account, PendingEntry, Posting } from './population/index.js';
import { firstPendingFirst, requestedAt } from './settlement-times.js';

/** Days, numbered as `bankDayAt` does; both are within. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** How many entries are booked within a period, by now. */
export function countBooked(books: Books, account: string, period: Period, now: number): number {
  const { from, to } = untilNow(period, now);
  const [first, end] = bookingsWithin(books, account, { from, to }, now);
  return books.population.countPostings(account, from, to) + end - first;
}

/** Of those, newest first, `limit` after the first `offset`; a late page costs no more than the first. */
export function pageOfBooked(
  books: Books,
  account: string,
  period: Period,
  { now, offset, limit }: { readonly now: number; readonly offset: number; readonly limit: number },
): readonly Posting[] {
  const { population } = books;
  const { from, to } = untilNow(period, now);
  const bookings = books.state.payments.bookedOn(account);
  const [first, end] = bookingsWithin(books, account, { from, to }, now);
  // How many of the newest payments come before the page: each stands above the postings of its day.
  const placeOf = (nth: number) => {
    const day = bankDayAt((bookings[end - 1 - nth] as Booking).at);
    return nth + (day < to ? population.countPostings(account, day + 1, to) : 0);
  };
  const before = firstPlace(end - first, (nth) => placeOf(nth) >= offset);
  const postings = population.postingsPage(account, from, to, offset - before, limit);
  const newest = end - before;
  const own = bookings.slice(Math.max(first, newest - limit), newest).reverse();
  return merged(
    own.map((booking) => bookingEntry(books.population, account, booking, now)),
    postings,
  ).slice(0, limit);
}

/**
 * The books with no more entries of a period than there were when its first page was read (`entries`; null: that is this one).
 * What has come since is left out, also where it stands below them: only payments, and whole days, stand above.
 */
export function booksSeenBy(
  books: Books,
  account: string,
  period: Period,
  entries: number | null,
  now: number,
): Books {
  const { state, population } = books;
  const { at: populationAt } = population;
  if (entries === null || populationAt === undefined || population.varies?.(account) !== true) return books;
  const countAt = (at: number): number => {
    const { from, to } = untilNow(period, at);
    const bookings = state.payments.bookedOn(account);
    const first = firstAfter(bookings, beginOfBankDay(from) - 1);
    const end = Math.min(firstAfter(bookings, at), firstAfter(bookings, beginOfBankDay(to + 1) - 1));
    const postings = populationAt(state, at, at).countPostings(account, from, to);
    return postings + Math.max(0, end - first);
  };
  if (countAt(now) <= entries) return books;
  const first = now - MOST_PAGED_MS;
  const then = first + firstPlace(MOST_PAGED_MS, (ms) => countAt(first + ms) >= entries);
  return { state, population: populationAt(state, now, then) };
}

/** Nobody goes on with the pages of a first one that was read longer ago. */
const MOST_PAGED_MS = 366 * DAY_MS;

/** What is authorised, covered and not yet booked, newest first (reading `payment-pending`); then what is held. */
export function pendingEntries(books: Books, account: Account, now: number): readonly PendingEntry[] {
  const holds = books.population.holds?.(account.resourceId, bankDayAt(now)) ?? [];
  return [...pendingPaymentEntries(books, account, now), ...holds];
}

function pendingPaymentEntries(books: Books, account: Account, now: number): readonly PendingEntry[] {
  return coveredPayments(books, account, now)
    .sort((a, b) => inOrderOfExecution(b, a))
    .map((payment) => {
      const amount = -debitOf(payment, account);
      return {
        ...debitEntry(payment, account.resourceId, amount),
        valueDay: bankDayAt(payment.dueAt ?? now),
      };
    });
}

/**
 * Authorised payments from this account that are not executed, and are to be pending by a time. `later`: as they are by
 * then, where they have moved on since the books were made.
 */
export function pendingPayments(
  { state }: Books,
  account: string,
  by: number,
  later: ReadonlyMap<string, BankPayment> = NO_PAYMENTS,
): BankPayment[] {
  return [...state.payments.waitingOn(account)].flatMap((id) => {
    const payment = later.get(id) ?? state.bankPayments.get(id);
    const isPending = payment !== undefined && isWaiting(payment) && (requestedAt(payment) ?? 0) <= by;
    return isPending ? partsOf(payment) : [];
  });
}

const NO_PAYMENTS: ReadonlyMap<string, BankPayment> = new Map();

export type StandingPayment = BankPayment & { readonly standing: StandingOrder };

/** Standing orders that run from this account. */
export function standingOrdersOf({ state }: Books, account: string): StandingPayment[] {
  return [...state.payments.waitingOn(account)].flatMap((id) => {
    const payment = state.bankPayments.get(id);
    const standing = payment?.standing;
    return payment === undefined || standing === undefined ? [] : [{ ...payment, standing }];
  });
}

/** Those that are pending by a later time, and that the money which is there now covers: it is reserved for them. */
function coveredPayments(books: Books, account: Account, now: number, by = now): BankPayment[] {
  let left = bookedBalance(books, account.resourceId, now) + account.overdraft;
  return pendingPayments(books, account.resourceId, by)
    .sort(firstPendingFirst)
    .filter((payment) => {
      const debit = debitOf(payment, account);
      if (debit > left) return false;
      left -= debit;
      return true;
    });
}

/** Whether the account has the money for a payment that its PSU authorises now; for one of a later day it need not yet. */
export function isCovered(books: Books, payment: BankPayment, now: number): boolean {
  const account = payment.debtor === null ? undefined : books.population.account(payment.debtor);
  if (account === undefined || isOrder(payment) || (requestedAt(payment) ?? 0) > now) return true;
  return debitOf(payment, account) <= availableBalance(books, account, now);
}

/** What a payment takes from its debtor's account, in minor units of that; as it is where the bank has no rate. */
export function debitOf(payment: BankPayment, account: Account): number {
  return sidesOf(payment, account.currency, null)?.debited ?? payment.amount;
}

/** All that is booked, in minor units: an execution stays done where the clock was set back. */
export function bookedBalance({ state, population }: Books, account: string, now: number): number {
  return population.balance(account, bankDayAt(now)) + (state.payments.bookedOn(account).at(-1)?.sum ?? 0);
}

function closingBalance({ state, population }: Books, account: string, day: number): number {
  const bookings = state.payments.bookedOn(account);
  const payments = bookings[firstAfter(bookings, beginOfBankDay(day + 1) - 1) - 1]?.sum ?? 0;
  return population.balance(account, day) + payments;
}

/** What can be spent now: what is booked, less what is reserved, and the overdraft; in minor units. */
export function availableBalance(books: Books, account: Account, now: number): number {
  return bookedBalance(books, account.resourceId, now) - reservedSum(books, account, now) + account.overdraft;
}

/** `type`: as the standard names it; `day`: of its referenceDate. */
export interface Balance {
  readonly type:
    | 'closingBooked'
    | 'openingBooked'
    | 'interimBooked'
    | 'expected'
    | 'interimAvailable'
    | 'forwardAvailable';
  readonly amount: number;
  readonly day: number;
}

/** The balances that the sandbox bank shows too (reading `balance-types`). */
export function balancesAt(books: Books, account: Account, now: number): readonly Balance[] {
  const today = bankDayAt(now);
  const before = closingBalance(books, account.resourceId, today - 1);
  const booked = bookedBalance(books, account.resourceId, now);
  const expected = booked - reservedSum(books, account, now);
  const tomorrow = booked - reservedSum(books, account, now, beginOfBankDay(today + 2) - 1);
  return [
    { type: 'closingBooked', amount: before, day: today - 1 },
    { type: 'expected', amount: expected, day: today },
    { type: 'interimAvailable', amount: expected + account.overdraft, day: today },
    { type: 'openingBooked', amount: before, day: today },
    { type: 'interimBooked', amount: booked, day: today },
    { type: 'forwardAvailable', amount: tomorrow + account.overdraft, day: today + 1 },
  ];
}

function reservedSum(books: Books, account: Account, now: number, by = now): number {
  let sum = 0;
  for (const { amount } of books.population.holds?.(account.resourceId, bankDayAt(now)) ?? [])
    sum += Math.max(0, -amount);
  for (const payment of coveredPayments(books, account, now, by)) sum += debitOf(payment, account);
  return sum;
}

const untilNow = ({ from, to }: Period, now: number): Period => ({ from, to: Math.min(to, bankDayAt(now)) });

/** Of the bookings of an account those of a period, by now: from the first up to the end, without it. */
function bookingsWithin({ state }: Books, account: string, { from, to }: Period, now: number) {
  const bookings = state.payments.bookedOn(account);
  const first = from > bankDayAt(now) ? bookings.length : firstAfter(bookings, beginOfBankDay(from) - 1);
  // Those of a later day, where the clock was set back, are of today.
  const end = to < bankDayAt(now) ? firstAfter(bookings, beginOfBankDay(to + 1) - 1) : bookings.length;
  return [first, Math.max(first, end)] as const;
}

function firstAfter(bookings: readonly Booking[], time: number): number {
  return firstPlace(bookings.length, (place) => (bookings[place] as Booking).at > time);
}

/** Both newest first; of one day the payments come first. */
function merged(payments: readonly Posting[], postings: readonly Posting[]): Posting[] {
  const all: Posting[] = [];
  let next = 0;
  for (const payment of payments) {
    for (; next < postings.length && (postings[next] as Posting).bookingDay > payment.bookingDay; next++)
      all.push(postings[next] as Posting);
    all.push(payment);
  }
  all.push(...postings.slice(next));
  return all;
}
