/** The life of a payment: how the SCA, the time, a cancellation and the bank move it. */
import { PAYMENT_STATUSES, type PaymentStatus } from '../spec/index.js';
import type { Books } from './books.js';
import type { BankChange, BankPayment, RejectReason } from './facts.js';
import { hasHappened } from './has-happened.js';
import { dueTimeOf, PROCESSING_MS } from './settlement-times.js';

/** As it follows from the facts at a time (epoch ms); those of later times do not count (reading `payment-life`). */
export function paymentStatusAt(payment: BankPayment, now: number): PaymentStatus {
  const { cancelledAt, execution, authorisedAt, dueAt } = payment;
  if (cancelledAt !== null && cancelledAt <= now) return 'CANC';
  if (execution !== null && execution.at <= now) return execution.outcome === 'booked' ? 'ACSC' : 'RJCT';
  if (authorisedAt === null || dueAt === null || !hasHappened(authorisedAt, now))
    return payment.explicit ? 'PATC' : 'RCVD';
  return now < dueAt - PROCESSING_MS ? 'ACTC' : 'ACSP';
}

/** All that it had by then, in order. */
export function paymentStatusesBy(payment: BankPayment, now: number): PaymentStatus[] {
  const { cancelledAt, execution, authorisedAt, dueAt } = payment;
  const inProcess = dueAt === null ? null : dueAt - PROCESSING_MS;
  const times = [authorisedAt, inProcess, execution?.at, cancelledAt, now].filter((at) => at != null);
  return times
    .filter((at) => at <= now)
    .sort((a, b) => a - b)
    .map((at) => paymentStatusAt(payment, at));
}

/** When the time alone moves its status on, epoch ms; infinite where it does not. */
export function paymentMovesAt({ execution, authorisedAt, dueAt }: BankPayment, now: number): number {
  const inProcess = authorisedAt === null || dueAt === null ? null : dueAt - PROCESSING_MS;
  const times = [inProcess, execution?.at].map((at) =>
    at != null && at > now ? at : Number.POSITIVE_INFINITY,
  );
  return Math.min(...times);
}

/** Whether an SCA can still decide on it. */
export function awaitsAuthorisation(payment: BankPayment, now: number): boolean {
  const status = paymentStatusAt(payment, now);
  return status === 'RCVD' || status === 'PATC';
}

/** Whether this PSU may authorise it, and its cancellation: an owner of the debtor's account, alone or with others. */
export function isPaymentOf({ population }: Books, { debtor }: BankPayment, psu: string): boolean {
  return debtor !== null && population.account(debtor)?.owners.includes(psu) === true;
}

/** Where the clock was set backwards, what is done now takes the place of what had happened later. */
const UNDECIDED = { execution: null, cancelledAt: null } as const;

/** The SCA for it succeeded; or why it cannot. */
export function authorisePayment(payment: BankPayment, psu: string, now: number): BankChange[] | string {
  if (!awaitsAuthorisation(payment, now)) return 'The payment does not wait for an authorisation any more.';
  const dueAt = dueTimeOf(payment, now);
  return [paymentChange({ ...payment, ...UNDECIDED, psu, authorisedAt: now, dueAt })];
}

/** It is not to be executed: MS02, the PSU did not authorise it; MS03, the bank does not want it. */
export function rejectPayment(payment: BankPayment, reason: RejectReason, now: number): BankChange[] {
  if (hasEnded(payment, now)) return [];
  const execution = { at: now, outcome: 'rejected', reason, debited: 0, credited: 0 } as const;
  return [paymentChange({ ...payment, ...UNDECIDED, execution })];
}

/** It is cancelled before its execution, after the SCA for that where one is due; or why it cannot. */
export function cancelPayment(payment: BankPayment, now: number): BankChange[] | string {
  if (hasEnded(payment, now)) return 'The payment cannot be cancelled any more.';
  return [paymentChange({ ...payment, ...UNDECIDED, cancelledAt: now })];
}

export function hasEnded(payment: BankPayment, now: number): boolean {
  return PAYMENT_STATUSES[paymentStatusAt(payment, now)].final;
}

export function paymentChange(fact: BankPayment): BankChange {
  return { family: 'bankPayments', key: fact.id, fact };
}
