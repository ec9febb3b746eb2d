/**
 * Months of an account run from payday to payday: what comes in stands at their beginning, so an account that spends
 * what it earns never goes below what is left at their end.
 */
import { calendarDateOf, dayOfDate, lastBankDay } from '../bank-days.js';

/** The year of period 0, which begins on the payday of its January: two years before any day that a clock is set to. */
const FIRST_YEAR = 2021;
/** A hundred years: what lies beyond stands still. */
export const PERIODS = 1200;

/** Days of the month on which people are paid, or on the bank day before. */
export const PAYDAYS = [25, 26, 27, 28] as const;

export const firstDayOf = (period: number, payday: number): number =>
  lastBankDay(dayOfDate(FIRST_YEAR, 1 + period, payday));

export const lastBankDayOf = (period: number, payday: number): number =>
  lastBankDay(firstDayOf(period + 1, payday) - 1);

export function periodOf(day: number, payday: number): number {
  const { year, month } = calendarDateOf(day);
  const period = (year - FIRST_YEAR) * 12 + month - 1;
  return day >= firstDayOf(period, payday) ? period : period - 1;
}

/** A day of the month that follows the payday; 16 at most, or a holiday could carry it beyond the next payday. */
export const dayAfterPayday = (period: number, date: number): number =>
  dayOfDate(FIRST_YEAR, 2 + period, date);

/** The month, from 1, in which a period begins; the one in which its days after payday lie is the next. */
export const monthOf = (period: number): number => (((period % 12) + 12) % 12) + 1;

/** Wages and prices rise by 2% of the first year's a year, for 25 years: in percent. */
export const indexOf = (period: number): number =>
  100 + 2 * Math.min(25, Math.max(0, Math.floor(period / 12)));
