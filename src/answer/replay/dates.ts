/** Dates as the standard writes them, moved by whole days. */
import { DAY_MS, isDate } from '../../spec/index.js';
import { isSameInCalendar, type Shift } from './calendar.js';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** RFC 9110 5.6.7, the form that is sent. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A client in another time zone is on the day before or after. */
const AROUND = [0, -1, 1] as const;

/** A calendar date, or a date and time. */
export function isDated(text: string): boolean {
  return text.length >= 10 && text.length <= 40 && DATE_TIME.test(text) && isDate(text.slice(0, 10));
}

/** The same so many days later; the time of day and the offset stay as they are. */
export function moveDate(text: string, days: number): string {
  if (days === 0) return text;
  const moved = new Date(Date.parse(text.slice(0, 10)) + days * DAY_MS);
  return Number.isNaN(moved.getTime()) ? text : moved.toISOString().slice(0, 10) + text.slice(10);
}

/** Date, Expires, Last-Modified; any other text stays. */
export function moveHttpDate(text: string, days: number): string {
  if (days === 0 || !HTTP_DATE.test(text)) return text;
  const moved = new Date(Date.parse(text) + days * DAY_MS);
  return Number.isNaN(moved.getTime()) ? text : moved.toUTCString();
}

/**
 * Whether a date that is sent is the recorded one: moved by the age of the recording, give or take the day that a time
 * zone makes; written down once and for all; or the same in the calendar, as the first of the month is.
 */
export function isSameDate(recorded: string, sent: string, { from, days }: Shift): boolean {
  if (recorded === sent) return true;
  if (!isDated(recorded) || !isDated(sent)) return false;
  const [then, now] = [recorded.slice(0, 10), sent.slice(0, 10)];
  return AROUND.some(
    (step) => moveDate(then, days + step) === now || isSameInCalendar(then, now, { from: from + step, days }),
  );
}
