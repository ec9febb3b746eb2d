/** The life of a payment: how the SCA, the time, a cancellation and the bank move it. */
import { LIMITS, PAYMENT_STATUSES, type PaymentStatus } from '../spec/index.js';
import type { Books } from './books.js';
import type { BankChange, BankPayment, RejectReason } from './facts.js';
import { dueTimeOf, PROCESSING_MS } from './settlement-times.js';
import { shownBody } from './shown-body.js';

/**
 * As somebody sees it who looks at `now` (epoch ms; reading `payment-life`). What was done stays done, also where the
 * clock was set back.
 */
export function paymentStatusAt(payment: BankPayment, now: number): PaymentStatus {
  return statusBy(payment, Math.max(now, lastDoneAt(payment)));
}

const lastDoneAt = ({ cancelledAt, execution, authorisedAt }: BankPayment): number =>
  Math.max(cancelledAt ?? 0, execution?.at ?? 0, authorisedAt ?? 0);

function statusBy(
  { createdAt, explicit, cancelledAt, execution, authorisedAt, dueAt }: BankPayment,
  at: number,
): PaymentStatus {
  if (cancelledAt !== null && cancelledAt <= at) return 'CANC';
  if (execution !== null && execution.at <= at) return execution.outcome === 'booked' ? 'ACSC' : 'RJCT';
  if (authorisedAt === null || dueAt === null || authorisedAt > at)
    return at >= createdAt + LIMITS.unauthorisedMs ? 'RJCT' : explicit ? 'PATC' : 'RCVD';
  return at < dueAt - PROCESSING_MS ? 'ACTC' : 'ACSP';
}

/** All that it had by then, in order. */
export function paymentStatusesBy(payment: BankPayment, now: number): PaymentStatus[] {
  const { cancelledAt, execution, authorisedAt } = payment;
  const until = Math.max(now, lastDoneAt(payment));
  return [authorisedAt, ...timesOf(payment), execution?.at, cancelledAt, until]
    .filter((at) => at != null)
    .filter((at) => at <= until)
    .sort((a, b) => a - b)
    .map((at) => statusBy(payment, at));
}

/** When the time alone moves its status on, epoch ms; infinite where it does not. */
export function paymentMovesAt(payment: BankPayment, now: number): number {
  if (hasEnded(payment, now)) return Number.POSITIVE_INFINITY;
  return Math.min(...timesOf(payment).filter((at) => at > now));
}

/** When nobody authorises it any more; or when it is in process, and due. */
function timesOf({ createdAt, authorisedAt, dueAt }: BankPayment): number[] {
  if (authorisedAt === null) return [createdAt + LIMITS.unauthorisedMs];
  return dueAt === null ? [] : [dueAt - PROCESSING_MS, dueAt];
}

export function rejectionOf(payment: BankPayment, now: number): RejectReason | null {
  return paymentStatusAt(payment, now) === 'RJCT' ? (payment.execution?.reason ?? 'MS02') : null;
}

export function awaitsAuthorisation(payment: BankPayment, now: number): boolean {
  const status = paymentStatusAt(payment, now);
  return status === 'RCVD' || status === 'PATC';
}

/** Whether this PSU may authorise it, and its cancellation: an owner of the debtor's account, alone or with others. */
export function isPaymentOf({ population }: Books, { debtor }: BankPayment, psu: string): boolean {
  return debtor !== null && population.account(debtor)?.owners.includes(psu) === true;
}

/** The SCA for it succeeded; or why it cannot. */
export function authorisePayment(payment: BankPayment, psu: string, now: number): BankChange[] | string {
  if (!awaitsAuthorisation(payment, now)) return 'The payment does not wait for an authorisation any more.';
  const dueAt = dueTimeOf(payment, now);
  return [paymentChange({ ...payment, psu, authorisedAt: now, dueAt })];
}

/** It is not to be executed: MS02, the PSU did not authorise it; MS03, the bank does not want it. */
export function rejectPayment(payment: BankPayment, reason: RejectReason, now: number): BankChange[] {
  if (hasEnded(payment, now)) return [];
  const execution = { at: now, outcome: 'rejected', reason, debited: 0, credited: 0 } as const;
  return [paymentChange({ ...payment, execution })];
}

/** It is cancelled before its execution, after the SCA for that where one is due; or why it cannot. */
export function cancelPayment(payment: BankPayment, now: number): BankChange[] | string {
  if (hasEnded(payment, now)) return 'The payment cannot be cancelled any more.';
  return [paymentChange({ ...payment, cancelledAt: now })];
}

export function hasEnded(payment: BankPayment, now: number): boolean {
  return PAYMENT_STATUSES[paymentStatusAt(payment, now)].final;
}

export function paymentChange(fact: BankPayment): BankChange {
  return { family: 'bankPayments', key: fact.id, fact };
}

/** A body with a longer JSON is held by the store alone. */
const LONGEST_HELD = 2_048;

/** A new payment, whose long body becomes a fact of its own. */
export function newPayment(payment: BankPayment): readonly BankChange[] {
  const { id, tpp, body } = payment;
  const bytes = JSON.stringify(body).length;
  if (bytes <= LONGEST_HELD) return [paymentChange(payment)];
  return [
    { family: 'bankBodies', key: id, fact: { tpp, bytes, body } },
    paymentChange({ ...payment, body: shownBody(body) }),
  ];
}
