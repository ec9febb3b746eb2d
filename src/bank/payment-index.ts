/** What is looked up beside payments: what is due next, what waits on an account, and what was booked on it. */
import { firstPlace, PAYMENT_STATUSES } from '../spec/index.js';
import type { BankPayment } from './facts.js';
import { isOrder } from './orders.js';
import { firstPendingFirst, returnTimeOf } from './settlement-times.js';
import { shownBody } from './shown-body.js';

export interface Booking {
  readonly payment: BankPayment;
  readonly at: number;
  /** Minor units of the account's currency; negative: money that went. */
  readonly amount: number;
  /** Money that went and came back. */
  readonly isReturn?: true;
  /** The sum of this and all before it on the account. */
  sum: number;
}

/** In the order of execution: by the time, and of one time who was first pending. */
export function inOrderOfExecution(a: BankPayment, b: BankPayment): number {
  return timeOf(a) - timeOf(b) || firstPendingFirst(a, b);
}

const timeOf = ({ execution, dueAt }: BankPayment): number => execution?.at ?? dueAt ?? 0;

/** Whether it is still to be executed: authorised, and neither decided nor cancelled. */
export const isWaiting = (payment: BankPayment): payment is BankPayment & { readonly dueAt: number } =>
  payment.dueAt !== null && payment.execution === null && payment.cancelledAt === null;

/** When the bank has something to do with it next of its own accord; null: never, or nobody has authorised it. */
export function dueOf(payment: BankPayment): number | null {
  if (isWaiting(payment)) return payment.dueAt;
  const { habit, execution, returnedAt } = payment;
  const comesBack = habit === 'returned' && execution?.outcome === 'booked' && returnedAt === undefined;
  return comesBack ? returnTimeOf(payment, execution.at) : null;
}

export interface PaymentsView {
  /** Times by now at which payments are due and not decided, ascending, with their ids. */
  readonly dueBy: (now: number) => readonly (readonly [at: number, ids: readonly string[]])[];
  /** Ids of payments from an account that were authorised and are not decided. */
  readonly waitingOn: (account: string) => Iterable<string>;
  /** Bookings on an account, in the order in which they were executed. */
  readonly bookedOn: (account: string) => readonly Booking[];
  readonly touches: (account: string) => boolean;
}

const NO_BOOKINGS: Booking[] = [];

/** Whether its TPP knows all that it is to be told. */
export const isToldAll = ({ watch, execution }: BankPayment): boolean =>
  watch === null ||
  (watch.behind === undefined &&
    (PAYMENT_STATUSES[watch.told].final ||
      // A payment that was executed in part has no final status.
      (execution?.outcome === 'partly' && (watch.told === 'PART' || watch.content === 'LAST'))));

export class PaymentIndex implements PaymentsView {
  /** Ids of payments of which a TPP is still to be told something. */
  readonly watched = new Set<string>();
  readonly #dueTimes: number[] = [];
  readonly #due = new Map<number, Set<string>>();
  readonly #waiting = new Map<string, Set<string>>();
  readonly #booked = new Map<string, Booking[]>();
  readonly #onLook: ((account: string) => void) | undefined;

  constructor(onLook?: (account: string) => void) {
    this.#onLook = onLook;
  }

  dueBy(now: number): readonly (readonly [at: number, ids: readonly string[]])[] {
    const due: [number, string[]][] = [];
    for (const at of this.#dueTimes) {
      if (at > now) break;
      due.push([at, [...(this.#due.get(at) ?? [])]]);
    }
    return due;
  }

  waitingOn(account: string): Iterable<string> {
    this.#onLook?.(account);
    return this.#waiting.get(account) ?? [];
  }

  bookedOn(account: string): readonly Booking[] {
    this.#onLook?.(account);
    return this.#booked.get(account) ?? NO_BOOKINGS;
  }

  touches(account: string): boolean {
    this.#onLook?.(account);
    return this.#booked.has(account) || this.#waiting.has(account);
  }

  enter(payment: BankPayment): void {
    if (!isToldAll(payment)) this.watched.add(payment.id);
    const dueAt = dueOf(payment);
    if (dueAt !== null) {
      if (!this.#due.has(dueAt)) this.#dueTimes.splice(placeOf(this.#dueTimes, dueAt), 0, dueAt);
      enter(this.#due, dueAt, payment.id);
    }
    if (isWaiting(payment) && payment.debtor !== null) enter(this.#waiting, payment.debtor, payment.id);
    const sides = sidesOf(payment);
    if (sides.length === 0) return;
    const shown = { ...payment, body: shownBody(payment.body) };
    for (const { account, ...side } of sides)
      enterBooking(this.#booked, account, { payment: shown, ...side, sum: 0 });
  }

  leave(payment: BankPayment): void {
    this.watched.delete(payment.id);
    const dueAt = dueOf(payment);
    if (dueAt !== null) {
      leave(this.#due, dueAt, payment.id);
      if (!this.#due.has(dueAt)) this.#dueTimes.splice(placeOf(this.#dueTimes, dueAt), 1);
    }
    if (isWaiting(payment) && payment.debtor !== null) leave(this.#waiting, payment.debtor, payment.id);
    for (const { account } of sidesOf(payment)) leaveBooking(this.#booked, account, payment);
  }

  /** How many are due at some time, or wait on some account. */
  get undecided(): number {
    return [...this.#due.values(), ...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }
}

export type Side = Omit<Booking, 'payment' | 'sum'> & { readonly account: string };

/** What it moved on the accounts of this bank. */
export function sidesOf(payment: BankPayment): readonly Side[] {
  const { execution, debtor, creditor, returnedAt } = payment;
  if (execution?.outcome !== 'booked' || isOrder(payment)) return [];
  const { at, debited, credited } = execution;
  return [
    ...(debtor === null ? [] : [{ account: debtor, at, amount: -debited }]),
    ...(creditor === null ? [] : [{ account: creditor, at, amount: credited }]),
    ...(debtor === null || returnedAt === undefined
      ? []
      : [{ account: debtor, at: returnedAt, amount: debited, isReturn: true } as const]),
  ];
}

/** Nearly always the last one: only a clock that was set backwards books before what was booked. */
function enterBooking(booked: Map<string, Booking[]>, account: string, booking: Booking): void {
  const bookings = booked.get(account) ?? [];
  if (bookings.length === 0) booked.set(account, bookings);
  const isBefore = (a: Booking, b: Booking) => a.at - b.at || firstPendingFirst(a.payment, b.payment);
  let at = bookings.length;
  while (at > 0 && isBefore(booking, bookings[at - 1] as Booking) < 0) at--;
  bookings.splice(at, 0, booking);
  sumFrom(bookings, at);
}

function leaveBooking(booked: Map<string, Booking[]>, account: string, payment: BankPayment): void {
  const bookings = booked.get(account) ?? [];
  const at = bookings.findLastIndex((booking) => booking.payment.id === payment.id);
  if (at < 0) return;
  bookings.splice(at, 1);
  sumFrom(bookings, at);
  if (bookings.length === 0) booked.delete(account);
}

function sumFrom(bookings: Booking[], from: number): void {
  for (let at = from; at < bookings.length; at++) {
    const booking = bookings[at] as Booking;
    booking.sum = (bookings[at - 1]?.sum ?? 0) + booking.amount;
  }
}

/** Where a time stands in an ascending list, or would stand. */
function placeOf(times: readonly number[], time: number): number {
  return firstPlace(times.length, (place) => (times[place] as number) >= time);
}

/** Enters an id under a name of an index. */
function enter<K>(index: Map<K, Set<string>>, name: K, id: string): void {
  const ids = index.get(name);
  if (ids === undefined) index.set(name, new Set([id]));
  else ids.add(id);
}

/** Takes it out again, and with the last one the name. */
function leave<K>(index: Map<K, Set<string>>, name: K, id: string): void {
  const ids = index.get(name);
  if (ids?.delete(id) === true && ids.size === 0) index.delete(name);
}
