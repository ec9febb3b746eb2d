/** The days of a standing order: when its payments fall due, and which of them is next (reading `standing-order-days`). */
import { calendarDateOf, dayOfDate, lastBankDay, nextBankDay } from './bank-days.js';
import type { StandingOrder } from './facts.js';

/** One without an end ends with the last of so many: a clock that moves on by decades makes no more of them. */
export const MOST_INSTALMENTS = 500;
/** An account has at most so many that run. */
export const MOST_STANDING_ORDERS = 20;

/** Names of the standard, and codes of ISO 20022 that some banks have instead. */
const DAYS: Readonly<Record<string, number>> = {
  ...{ Daily: 1, Weekly: 7, EveryTwoWeeks: 14 },
  ...{ DAIL: 1, WEEK: 7, TOWK: 14 },
};
const MONTHS: Readonly<Record<string, number>> = {
  ...{ Monthly: 1, EveryTwoMonths: 2, Quarterly: 3, SemiAnnual: 6, Annual: 12 },
  ...{ MNTH: 1, TOMN: 2, QUTR: 3, FOMN: 4, SEMI: 6, YEAR: 12 },
};
const CHOSEN_MONTHS = 'MonthlyVariable';

export const isFrequency = (text: string): boolean =>
  text === CHOSEN_MONTHS || Object.hasOwn(DAYS, text) || Object.hasOwn(MONTHS, text);

/** Whether a day of the month counts. */
export const isByMonths = (frequency: string): boolean => !Object.hasOwn(DAYS, frequency);

type Terms = Omit<StandingOrder, 'nth' | 'day'>;

/** It at its first payment that is not before a day; undefined where none is left. */
export function standingOrderFrom(terms: Terms, today: number): StandingOrder | undefined {
  return nextOf(terms, 0, today);
}

/** It at the payment after this one; undefined where that was the last. */
export function standingOrderAfter(order: StandingOrder): StandingOrder | undefined {
  return nextOf(order, order.nth + 1, order.day + 1);
}

function nextOf(terms: Terms, from: number, notBefore: number): StandingOrder | undefined {
  for (let nth = from; nth < from + MOST_PASSED; nth++) {
    const planned = plannedDay(terms, nth);
    const done = terms.done ?? 0;
    if (done >= MOST_INSTALMENTS || planned > (terms.end ?? Number.POSITIVE_INFINITY)) return undefined;
    const day = terms.rule === 'following' ? nextBankDay(planned) : lastBankDay(planned);
    if (day >= notBefore) return { ...terms, nth, day };
  }
  return undefined;
}

/** One that was agreed ten years ago or more begins with no payment of today. */
const MOST_PASSED = 4_000;

/** The day of the nth payment, from 0, before it is moved to a day on which banks settle. */
function plannedDay({ frequency, start, dayOfMonth, months }: Terms, nth: number): number {
  const days = DAYS[frequency];
  if (days !== undefined) return start + days * nth;
  const first = calendarDateOf(start);
  // A day of the month that has passed by the start is that of the next month.
  const skipped = Math.min(dayOfMonth, lastOf(first.year, first.month)) < first.date ? 1 : 0;
  const step = MONTHS[frequency];
  const month =
    step === undefined ? chosenMonth(months, first.month + skipped, nth) : first.month + skipped + step * nth;
  return dayInMonth(first.year, month, dayOfMonth);
}

/** The nth of the chosen months from one on, as months from that January. */
function chosenMonth(months: readonly number[] = [], from: number, nth: number): number {
  const inOrder = [...new Set(months)].sort((a, b) => a - b);
  const year = Math.floor((from - 1) / 12);
  const passed = inOrder.filter((month) => month < from - 12 * year).length;
  const at = passed + nth;
  return 12 * (year + Math.floor(at / inOrder.length)) + (inOrder[at % inOrder.length] ?? 1);
}

/** 31 is the last day of whichever month. */
function dayInMonth(year: number, month: number, date: number): number {
  return dayOfDate(year, month, Math.min(date, lastOf(year, month)));
}

const lastOf = (year: number, month: number): number =>
  dayOfDate(year, month + 1, 1) - dayOfDate(year, month, 1);
