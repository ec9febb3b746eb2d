/** When a payment is executed (reading `settlement-times`). */
import { memberOf } from '../exchange/index.js';
import {
  bankDayAt,
  beginOfBankDay,
  dayOf,
  isDate,
  PAYMENT_PRODUCTS,
  type ProductCode,
} from '../spec/index.js';
import { nextBankDay } from './bank-days.js';
import type { BankPayment } from './facts.js';

const HOUR_MS = 3_600_000;

/** Hours since a bank day began: clocks change on Sundays, which are none. */
const CUT_OFFS = { SCT: [10, 13, 16], CBP: [13] } as const satisfies Record<ProductCode, readonly number[]>;

/** Before its execution a payment is in process for so long, and is taken in until then; in ms. */
export const PROCESSING_MS = HOUR_MS;

/** The beginning of the day on which the TPP wants it executed (epoch ms); null: as soon as can be. */
export function requestedAt({ body }: Pick<BankPayment, 'body'>): number | null {
  const date = memberOf(body, 'requestedExecutionDate');
  return typeof date === 'string' && isDate(date) ? beginOfBankDay(dayOf(Date.parse(date))) : null;
}

/** From when on it stands as pending on the debtor's account (reading `payment-pending`); epoch ms. */
export function pendingFrom(payment: BankPayment): number {
  return Math.max(payment.authorisedAt ?? Number.POSITIVE_INFINITY, requestedAt(payment) ?? 0);
}

/** Who first asks for the money of an account gets it. */
export function firstPendingFirst(a: BankPayment, b: BankPayment): number {
  return pendingFrom(a) - pendingFrom(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** When a payment is executed that is authorised now: within the bank at once, else at a cut-off; epoch ms. */
export function dueTimeOf(payment: BankPayment, now: number): number {
  const requested = requestedAt(payment) ?? 0;
  if (payment.creditor !== null) return Math.max(now, requested);
  return nextCutOff(PAYMENT_PRODUCTS[payment.product], Math.max(now + PROCESSING_MS, requested));
}

function nextCutOff(product: ProductCode, from: number): number {
  for (let day = nextBankDay(bankDayAt(from)); ; day = nextBankDay(day + 1))
    for (const hour of CUT_OFFS[product]) {
      const at = beginOfBankDay(day) + hour * HOUR_MS;
      if (at >= from) return at;
    }
}
