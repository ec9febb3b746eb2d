/** Dates that clients compute by the calendar: first of the month, a month ago, end of the year. */
import { DAY_MS } from '../../spec/index.js';

/** A run as it stands to its recording. */
export interface Shift {
  /** The day that the recording began on, in days since 1970. */
  readonly from: number;
  /** How many days later this run is. */
  readonly days: number;
}

interface Day {
  /** Since the year 0. */
  readonly months: number;
  /** From 1. */
  readonly day: number;
}

/** What a date is, seen from the day that it was reckoned on; the same seen from another day; null where it is not that. */
type Reading = (date: Day, then: Day, now: Day) => Day | null;

const JANUARY = 0;
const DECEMBER = 11;

const lastDay = (months: number): number => new Date(Date.UTC(2000, months - 23_999, 0)).getUTCDate();
const monthOf = ({ months }: Day): number => months % 12;
const yearOf = ({ months }: Day): number => Math.floor(months / 12);
const isLast = ({ months, day }: Day): boolean => day === lastDay(months);
/** The 31st is the last day of a shorter month. */
const within = (months: number, day: number): Day => ({ months, day: Math.min(day, lastDay(months)) });

const READINGS: readonly Reading[] = [
  // The first of this month, or of another.
  (date, then, now) => (date.day === 1 ? { months: now.months + date.months - then.months, day: 1 } : null),
  // The last of a month.
  (date, then, now) => (isLast(date) ? within(now.months + date.months - then.months, 31) : null),
  // So many months ago, or from now.
  (date, then, now) =>
    date.months !== then.months && date.day === within(date.months, then.day).day
      ? within(now.months + date.months - then.months, now.day)
      : null,
  // The first and the last of a year.
  (date, then, now) =>
    date.day === 1 && monthOf(date) === JANUARY
      ? { months: (yearOf(now) + yearOf(date) - yearOf(then)) * 12, day: 1 }
      : null,
  (date, then, now) =>
    date.day === 31 && monthOf(date) === DECEMBER
      ? { months: (yearOf(now) + yearOf(date) - yearOf(then)) * 12 + DECEMBER, day: 31 }
      : null,
];

/** Whether two calendar dates, one recorded and one sent, are the same seen each from the day of its call. */
export function isSameInCalendar(recorded: string, sent: string, { from, days }: Shift): boolean {
  const date = dayAt(Date.parse(recorded));
  const [then, now] = [dayAt(from * DAY_MS), dayAt((from + days) * DAY_MS)];
  const wanted = dayAt(Date.parse(sent));
  return READINGS.some((read) => {
    const made = read(date, then, now);
    return made !== null && made.months === wanted.months && made.day === wanted.day;
  });
}

function dayAt(ms: number): Day {
  const date = new Date(ms);
  return { months: date.getUTCFullYear() * 12 + date.getUTCMonth(), day: date.getUTCDate() };
}
