/** Which payments' TPPs are to be told of a status, and when the next one follows by the time alone. */
import { PAYMENT_STATUSES, type PaymentStatus } from '../spec/index.js';
import type { BankChange, BankPayment, Watch } from './facts.js';
import { isWaiting } from './payment-index.js';
import { paymentChange, paymentStatusesBy } from './payments.js';
import { PROCESSING_MS } from './settlement-times.js';
import type { BankState } from './state.js';

export interface Notice {
  readonly payment: BankPayment;
  readonly watch: Watch;
  /** In order. */
  readonly statuses: readonly PaymentStatus[];
}

/** Those of some payments at a time, where all that is due by then is decided: also what it passed through on the way. */
export function noticesDue(
  { payments, bankPayments }: BankState,
  now: number,
  ids: Iterable<string>,
): readonly Notice[] {
  return [...ids].flatMap((id) => {
    const payment = payments.watched.has(id) ? bankPayments.get(id) : undefined;
    const watch = payment?.watch;
    if (payment === undefined || watch == null) return [];
    let { told } = watch;
    const statuses = paymentStatusesBy(payment, now).filter((status) => {
      if (!follows(status, told)) return false;
      told = status;
      return watch.content === 'PROCESS' || PAYMENT_STATUSES[status].final;
    });
    return statuses.length === 0 ? [] : [{ payment, watch, statuses }];
  });
}

/** Of a clock set backwards nothing is told again. */
const follows = (status: PaymentStatus, told: PaymentStatus): boolean =>
  PAYMENT_STATUSES[status].rank > PAYMENT_STATUSES[told].rank;

/** The TPP was told up to this status. */
export function toldChange({ payment, watch }: Notice, told: PaymentStatus): BankChange {
  return paymentChange({ ...payment, watch: { ...watch, told } });
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
    if (payment === undefined || !isWaiting(payment)) continue;
    const inProcess = payment.dueAt - PROCESSING_MS;
    const at = inProcess > now && payment.watch?.content === 'PROCESS' ? inProcess : payment.dueAt;
    if (at > now) next = Math.min(next, at);
  }
  return next;
}
