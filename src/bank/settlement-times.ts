/** When a payment is executed (reading `settlement-times`). */
import { memberOf } from '../exchange/index.js';
import {
  bankDayAt,
  beginOfBankDay,
  dayOf,
  isDate,
  type PaymentStatus,
  type ProductCode,
} from '../spec/index.js';
import { nextBankDay } from './bank-days.js';
import type { BankPayment } from './facts.js';
import type { PaymentHabit } from './habits/habits.js';
import { codeOf } from './orders.js';

const HOUR_MS = 3_600_000;

/** Hours since a bank day began: clocks change on Sundays, which are none. */
const CUT_OFFS = { SCT: [10, 13, 16], CBP: [13] } as const satisfies Record<ProductCode, readonly number[]>;

/** Before its execution a payment is in process for so long, and is taken in until then; in ms. */
export const PROCESSING_MS = HOUR_MS;

/** The beginning of the day on which the TPP wants it executed (epoch ms); null: as soon as can be. */
export function requestedAt({ body, standing }: Pick<BankPayment, 'body' | 'standing'>): number | null {
  if (standing !== undefined) return beginOfBankDay(standing.day);
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

/** Statuses after the SCA, from so many ms after it on; or before the execution. */
interface Course {
  readonly after: readonly (readonly [PaymentStatus, number])[];
  readonly before: readonly (readonly [PaymentStatus, number])[];
}

const STEP_MS = HOUR_MS / 2;
const ORDINARY: Course = { after: [['ACTC', 0]], before: [['ACSP', PROCESSING_MS]] };
const COURSES: { readonly [H in PaymentHabit]?: Course } = {
  checked: {
    after: [
      ['PDNG', 0],
      ['ACTC', 2 * HOUR_MS],
    ],
    before: ORDINARY.before,
  },
  profiled: {
    after: [
      ['ACTC', 0],
      ['ACCP', STEP_MS],
    ],
    before: ORDINARY.before,
  },
  changed: {
    after: [
      ['ACTC', 0],
      ['ACWC', STEP_MS],
    ],
    before: ORDINARY.before,
  },
  unposted: {
    after: ORDINARY.after,
    before: [
      ['ACSP', PROCESSING_MS],
      ['ACWP', STEP_MS],
    ],
  },
};
/** So much later a status that is late tells how the payment ended, in ms. */
export const LATE_MS = 24 * HOUR_MS;

export const courseOf = ({ habit }: Pick<BankPayment, 'habit'>): Course =>
  (habit && COURSES[habit]) ?? ORDINARY;

/** When a payment is executed that is authorised now: within the bank at once, else at a cut-off; epoch ms. */
export function dueTimeOf(payment: BankPayment, now: number): number {
  const course = courseOf(payment);
  if (course === ORDINARY) return ordinaryDueTime(payment, now);
  const taken = now + (course.after.at(-1)?.[1] ?? 0);
  // Each status stands for a while.
  const due = Math.max(ordinaryDueTime(payment, taken + STEP_MS), taken + STEP_MS + PROCESSING_MS);
  if (payment.habit !== 'changed') return due;
  const nextDay = beginOfBankDay(nextBankDay(bankDayAt(due) + 1));
  return ordinaryDueTime({ ...payment, body: {} }, Math.max(nextDay + PROCESSING_MS, due));
}

/** When a payment that comes back does so: two to four bank days after its execution. */
export function returnTimeOf({ amount }: Pick<BankPayment, 'amount'>, executedAt: number): number {
  let day = bankDayAt(executedAt);
  for (let left = 2 + (amount % 3); left > 0; left--) day = nextBankDay(day + 1);
  return beginOfBankDay(day) + CUT_OFFS.SCT[0] * HOUR_MS;
}

function ordinaryDueTime(payment: BankPayment, now: number): number {
  const requested = requestedAt(payment) ?? 0;
  if (payment.creditor !== null) return Math.max(now, requested);
  return nextCutOff(codeOf(payment), Math.max(now + PROCESSING_MS, requested));
}

function nextCutOff(product: ProductCode, from: number): number {
  for (let day = nextBankDay(bankDayAt(from)); ; day = nextBankDay(day + 1))
    for (const hour of CUT_OFFS[product]) {
      const at = beginOfBankDay(day) + hour * HOUR_MS;
      if (at >= from) return at;
    }
}
