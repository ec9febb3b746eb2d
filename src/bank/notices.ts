/** Which payments' TPPs are to be told of a status, and when the next one follows by the time alone. */
import type { Injection } from '../exchange/index.js';
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
    const [first, ...more] = inTheirOrder(payment.watch, statusesDue(payment, now));
    return first === undefined ? [] : [{ payment, statuses: [first, ...more] }];
  });
}

function statusesDue(payment: WatchedPayment, now: number): PaymentStatus[] {
  let { told } = payment.watch;
  return paymentStatusesBy(payment, now).filter((status) => {
    if (!follows(status, told)) return false;
    told = status;
    return payment.watch.content === 'PROCESS' || PAYMENT_STATUSES[status].final;
  });
}

/** A status that stands behind the next one waits until that was told. */
function inTheirOrder({ behind, told }: Watch, due: readonly PaymentStatus[]): readonly PaymentStatus[] {
  if (behind === undefined) return due;
  if (!follows(behind.status, told)) return [behind.status, ...due];
  return due.filter((status) => status !== behind.status);
}

/** Whether its TPP is to be told of a status. */
export const isToBeTold = (payment: BankPayment, now: number): boolean =>
  isWatched(payment) && statusesDue(payment, now).length > 0;

/** The TPP is told of a status only after the next one; null where the payment is gone. */
export function behindChange(
  payment: BankPayment | undefined,
  status: PaymentStatus,
  injected: Injection,
): BankChange | null {
  if (payment === undefined || !isWatched(payment)) return null;
  const { claimedUntil, ...watch } = payment.watch;
  return paymentChange({ ...payment, watch: { ...watch, behind: { status, injected } } });
}

const isWatched = (payment: BankPayment): payment is WatchedPayment => payment.watch !== null;

/** After a clock was set backwards nothing is sent again. */
const follows = (status: PaymentStatus, told: PaymentStatus): boolean =>
  PAYMENT_STATUSES[status].rank > PAYMENT_STATUSES[told].rank;

/** The TPP was told up to this status, and none is claimed; null where that is so already, or the payment is gone. */
export function toldChange(payment: BankPayment | undefined, told: PaymentStatus): BankChange | null {
  if (payment === undefined || !isWatched(payment)) return null;
  const { claimedUntil, ...held } = payment.watch;
  const { behind, ...watch } = held;
  if (behind?.status === told && !follows(told, watch.told)) return paymentChange({ ...payment, watch });
  const isGivenUp = told === watch.told && claimedUntil !== undefined;
  if (!isGivenUp && !follows(told, watch.told)) return null;
  return paymentChange({ ...payment, watch: { ...held, told } });
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
