/** Which payments' TPPs are to be told of a status, and when the next one follows by the time alone. */
import { PAYMENT_STATUSES, type PaymentStatus } from '../spec/index.js';
import type { BankChange, BankPayment, Watch } from './facts.js';
import { paymentChange, paymentMovesAt, paymentStatusesBy } from './payments.js';
import type { BankState } from './state.js';

/** Whoever tells a status does so within so many ms: four tries take 41 s at most. */
const CLAIM_MS = 60_000;

export type WatchedPayment = BankPayment & { readonly watch: Watch };

export interface Notice {
  readonly payment: WatchedPayment;
  /** In order. */
  readonly statuses: readonly [PaymentStatus, ...PaymentStatus[]];
}

/** Those of some payments at a time, where all that is due by then is decided: also what it passed through on the way. */
export function noticesDue(
  { payments, bankPayments }: BankState,
  now: number,
  ids: Iterable<string>,
): readonly Notice[] {
  return [...ids].flatMap((id) => {
    const payment = payments.watched.has(id) ? bankPayments.get(id) : undefined;
    if (payment === undefined || !isWatched(payment)) return [];
    let { told } = payment.watch;
    const [first, ...more] = paymentStatusesBy(payment, now).filter((status) => {
      if (!follows(status, told)) return false;
      told = status;
      return payment.watch.content === 'PROCESS' || PAYMENT_STATUSES[status].final;
    });
    return first === undefined ? [] : [{ payment, statuses: [first, ...more] }];
  });
}

const isWatched = (payment: BankPayment): payment is WatchedPayment => payment.watch !== null;

/** After a clock was set backwards nothing is sent again. */
const follows = (status: PaymentStatus, told: PaymentStatus): boolean =>
  PAYMENT_STATUSES[status].rank > PAYMENT_STATUSES[told].rank;

/** The TPP was told up to this status, and none is claimed; null where that is so already, or the payment is gone. */
export function toldChange(payment: BankPayment | undefined, told: PaymentStatus): BankChange | null {
  if (payment === undefined || !isWatched(payment)) return null;
  const { claimedUntil, ...watch } = payment.watch;
  const isGivenUp = told === watch.told && claimedUntil !== undefined;
  if (!isGivenUp && !follows(told, watch.told)) return null;
  return paymentChange({ ...payment, watch: { ...watch, told } });
}

/** Of several gateways one tells the next status from now on (epoch ms of the machine). */
export function claimed(payment: WatchedPayment, now: number): WatchedPayment {
  return { ...payment, watch: { ...payment.watch, claimedUntil: now + CLAIM_MS } };
}

/** Whether one does. A claim by a machine whose clock is far ahead does not count. */
export function isClaimed({ claimedUntil = 0 }: Watch, now: number): boolean {
  return claimedUntil > now && claimedUntil <= now + 2 * CLAIM_MS;
}

/** When the next of them may be due, if nobody does anything; infinite where none will be. */
export function nextNoticeAt(
  { payments, bankPayments }: BankState,
  now: number,
  ids: Iterable<string>,
): number {
  let next = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const payment = payments.watched.has(id) ? bankPayments.get(id) : undefined;
    if (payment === undefined) continue;
    const at = paymentMovesAt(payment, now);
    // The last status alone comes with the execution.
    const isPassing = payment.watch?.content === 'LAST' && payment.dueAt !== null && at < payment.dueAt;
    next = Math.min(next, isPassing ? payment.dueAt : at);
  }
  return next;
}
