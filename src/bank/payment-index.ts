/** What is looked up beside payments: what is due next, what waits on an account, and what was booked on it. */
import { PAYMENT_STATUSES } from '../spec/index.js';
import type { BankPayment } from './facts.js';

/** One side of a booked payment. */
export interface Booking {
  readonly payment: BankPayment;
  readonly at: number;
  /** Minor units of the account's currency; negative: money that went. */
  readonly amount: number;
  /** The sum of this and all before it on the account. */
  sum: number;
}

export interface PaymentIndex {
  /** Times at which a payment is due, ascending, and the ids of those that are due then and not decided. */
  readonly dueTimes: number[];
  readonly due: Map<number, Set<string>>;
  /** Ids of payments that were authorised and are not decided, by the debtor's account. */
  readonly waiting: Map<string, Set<string>>;
  /** Ids of payments of which a TPP is still to be told something. */
  readonly watched: Set<string>;
  /** By account, in the order in which they were executed. */
  readonly booked: Map<string, Booking[]>;
}

/** `byAccount` makes what is looked up by account. */
export function createPaymentIndex(byAccount = <T>() => new Map<string, T>()): PaymentIndex {
  return { dueTimes: [], due: new Map(), waiting: byAccount(), watched: new Set(), booked: byAccount() };
}

/** In the order of execution: by the time, and who was first authorised is first served. */
export function inOrderOfExecution(a: BankPayment, b: BankPayment): number {
  const [dueA, dueB] = [timeOf(a), timeOf(b)];
  if (dueA !== dueB) return dueA - dueB;
  const since = (a.authorisedAt ?? 0) - (b.authorisedAt ?? 0);
  if (since !== 0) return since;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

const timeOf = ({ execution, dueAt }: BankPayment): number => execution?.at ?? dueAt ?? 0;

/** Whether it is still to be executed: authorised, and neither decided nor cancelled. */
export const isWaiting = (payment: BankPayment): payment is BankPayment & { readonly dueAt: number } =>
  payment.dueAt !== null && payment.execution === null && payment.cancelledAt === null;

export function enterPayment(index: PaymentIndex, payment: BankPayment): void {
  if (payment.watch !== null && !PAYMENT_STATUSES[payment.watch.told].final) index.watched.add(payment.id);
  if (isWaiting(payment)) {
    if (!index.due.has(payment.dueAt))
      index.dueTimes.splice(placeOf(index.dueTimes, payment.dueAt), 0, payment.dueAt);
    enter(index.due, payment.dueAt, payment.id);
    if (payment.debtor !== null) enter(index.waiting, payment.debtor, payment.id);
  }
  for (const { account, amount } of sidesOf(payment)) enterBooking(index, account, payment, amount);
}

export function leavePayment(index: PaymentIndex, payment: BankPayment): void {
  index.watched.delete(payment.id);
  if (isWaiting(payment)) {
    leave(index.due, payment.dueAt, payment.id);
    if (!index.due.has(payment.dueAt)) index.dueTimes.splice(placeOf(index.dueTimes, payment.dueAt), 1);
    if (payment.debtor !== null) leave(index.waiting, payment.debtor, payment.id);
  }
  for (const { account } of sidesOf(payment)) leaveBooking(index, account, payment);
}

function sidesOf({ execution, debtor, creditor }: BankPayment) {
  if (execution?.outcome !== 'booked') return [];
  return [
    ...(debtor === null ? [] : [{ account: debtor, amount: -execution.debited }]),
    ...(creditor === null ? [] : [{ account: creditor, amount: execution.credited }]),
  ];
}

/** Nearly always the last one: only a clock that was set backwards books before what was booked. */
function enterBooking(index: PaymentIndex, account: string, payment: BankPayment, amount: number): void {
  const bookings = index.booked.get(account) ?? [];
  if (bookings.length === 0) index.booked.set(account, bookings);
  let at = bookings.length;
  while (at > 0 && inOrderOfExecution(payment, (bookings[at - 1] as Booking).payment) < 0) at--;
  bookings.splice(at, 0, { payment, at: timeOf(payment), amount, sum: 0 });
  sumFrom(bookings, at);
}

function leaveBooking(index: PaymentIndex, account: string, payment: BankPayment): void {
  const bookings = index.booked.get(account) ?? [];
  const at = bookings.findLastIndex((booking) => booking.payment.id === payment.id);
  if (at < 0) return;
  bookings.splice(at, 1);
  sumFrom(bookings, at);
  if (bookings.length === 0) index.booked.delete(account);
}

function sumFrom(bookings: Booking[], from: number): void {
  for (let at = from; at < bookings.length; at++) {
    const booking = bookings[at] as Booking;
    booking.sum = (bookings[at - 1]?.sum ?? 0) + booking.amount;
  }
}

/** Where a time stands in an ascending list, or would stand. */
function placeOf(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Enters an id under a name of an index. */
export function enter<K>(index: Map<K, Set<string>>, name: K, id: string): void {
  const ids = index.get(name);
  if (ids === undefined) index.set(name, new Set([id]));
  else ids.add(id);
}

/** Takes it out again, and with the last one the name. */
export function leave<K>(index: Map<K, Set<string>>, name: K, id: string): void {
  const ids = index.get(name);
  if (ids?.delete(id) === true && ids.size === 0) index.delete(name);
}
