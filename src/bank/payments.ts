/** The life of a payment: how the SCA, the time, a cancellation and the bank move it. */
import { LIMITS, PAYMENT_STATUSES, type PaymentStatus } from '../spec/index.js';
import type { Books } from './books.js';
import type { BankChange, BankPayment, Execution, RejectReason } from './facts.js';
import { begun } from './orders.js';
import { courseOf, dueTimeOf, LATE_MS } from './settlement-times.js';
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

function statusBy(payment: BankPayment, at: number): PaymentStatus {
  const { createdAt, explicit, cancelledAt, execution, authorisedAt, dueAt, signedBy } = payment;
  if (cancelledAt !== null && cancelledAt <= at) return 'CANC';
  if (execution !== null && toldAt(payment, execution) <= at) return STATUS_OF[execution.outcome];
  if (authorisedAt === null || dueAt === null || authorisedAt > at)
    return at >= createdAt + LIMITS.unauthorisedMs
      ? 'RJCT'
      : explicit || signedBy !== undefined
        ? 'PATC'
        : 'RCVD';
  return stagesOf(payment, authorisedAt, dueAt).findLast(([, from]) => from <= at)?.[0] ?? 'ACTC';
}

const STATUS_OF = { booked: 'ACSC', partly: 'PART', rejected: 'RJCT' } as const;

/** When a TPP learns of how it ended. */
const toldAt = ({ habit }: BankPayment, { at }: Execution): number => (habit === 'late' ? at + LATE_MS : at);

/** The statuses between the SCA and the end, with the time (epoch ms) from which on each is shown. */
function stagesOf(payment: BankPayment, authorisedAt: number, dueAt: number) {
  const { after, before } = courseOf(payment);
  const firstAt = payment.standing?.firstAt ?? dueAt;
  return [
    ...after.map(([status, ms]) => [status, authorisedAt + ms] as const),
    ...before.map(([status, ms]) => [status, firstAt - ms] as const),
  ];
}

/** All that it had by then, in order. */
export function paymentStatusesBy(payment: BankPayment, now: number): PaymentStatus[] {
  const { cancelledAt, execution, authorisedAt } = payment;
  const until = Math.max(now, lastDoneAt(payment));
  return [authorisedAt, ...timesOf(payment), execution && toldAt(payment, execution), cancelledAt, until]
    .filter((at) => at != null)
    .filter((at) => at <= until)
    .sort((a, b) => a - b)
    .map((at) => statusBy(payment, at));
}

/** When the time alone moves its status on, epoch ms; infinite where it does not. */
export function paymentMovesAt(payment: BankPayment, now: number): number {
  if (PAYMENT_STATUSES[paymentStatusAt(payment, now)].final) return Number.POSITIVE_INFINITY;
  const { execution } = payment;
  const told = execution === null ? [] : [toldAt(payment, execution)];
  return Math.min(...[...timesOf(payment), ...told].filter((at) => at > now));
}

/** When nobody authorises it any more; or when its status moves, and it is due. */
function timesOf(payment: BankPayment): number[] {
  const { createdAt, authorisedAt, dueAt } = payment;
  if (authorisedAt === null) return [createdAt + LIMITS.unauthorisedMs];
  return dueAt === null ? [] : [...stagesOf(payment, authorisedAt, dueAt).map(([, from]) => from), dueAt];
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
  if (payment.signedBy === psu) return 'This user has authorised the payment already.';
  const ready = begun(payment, now);
  if (ready === undefined) return 'The standing order is over.';
  const dueAt = dueTimeOf(ready, now);
  return [paymentChange({ ...ready, psu: payment.psu ?? psu, authorisedAt: now, dueAt })];
}

/** Whether another PSU has to agree after this one. */
export function needsSecond({ population }: Books, { debtor, signedBy }: BankPayment): boolean {
  const account = debtor === null ? undefined : population.account(debtor);
  return account?.signatories === 2 && signedBy === undefined;
}

export const rejection = (reason: RejectReason, at: number): Execution => ({
  at,
  outcome: 'rejected',
  reason,
  debited: 0,
  credited: 0,
});

/** It is not to be executed: MS02, the PSU did not authorise it; MS03, the bank does not want it. */
export function rejectPayment(payment: BankPayment, reason: RejectReason, now: number): BankChange[] {
  if (hasEnded(payment, now)) return [];
  return [paymentChange({ ...payment, execution: rejection(reason, now) })];
}

/** It is cancelled before its execution, after the SCA for that where one is due; or why it cannot. */
export function cancelPayment(payment: BankPayment, now: number): BankChange[] | string {
  if (hasEnded(payment, now)) return 'The payment cannot be cancelled any more.';
  return [paymentChange({ ...payment, cancelledAt: now })];
}

/** Also where its status does not tell yet. */
export function hasEnded(payment: BankPayment, now: number): boolean {
  return payment.execution !== null || PAYMENT_STATUSES[paymentStatusAt(payment, now)].final;
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
