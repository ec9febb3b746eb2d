/** Dates as the standard writes them, moved by whole days or reckoned by the calendar. */
import { DAY_MS, isDate } from '../../spec/index.js';

export interface Shift {
  /** The day that the recording began on, in days since 1970. */
  readonly from: number;
  readonly days: number;
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** RFC 9110 5.6.7, the form that is sent. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A client in another time zone is on the day before or after. */
const AROUND = [0, -1, 1] as const;

export function isDated(text: string): boolean {
  return text.length >= 10 && text.length <= 40 && DATE_TIME.test(text) && isDate(text.slice(0, 10));
}

/** The same so many days later; the time of day and the offset stay as they are. */
export function moveDate(text: string, days: number): string {
  if (days === 0) return text;
  const moved = new Date(Date.parse(text.slice(0, 10)) + days * DAY_MS);
  return Number.isNaN(moved.getTime()) ? text : moved.toISOString().slice(0, 10) + text.slice(10);
}

export function moveHttpDate(text: string, days: number): string {
  if (days === 0 || !HTTP_DATE.test(text)) return text;
  const moved = new Date(Date.parse(text) + days * DAY_MS);
  return Number.isNaN(moved.getTime()) ? text : moved.toUTCString();
}

/**
 * Whether a date that is sent is the recorded one: moved by the age of the recording, give or take the day that a time
 * zone makes; written down once and for all; or the same in the calendar, as the first of the month is. A call that was
 * recorded `later` than the first one, in days, may reckon from its own day.
 */
export function isSameDate(recorded: string, sent: string, { from, days }: Shift, later = 0): boolean {
  if (recorded === sent) return true;
  if (later !== 0 && isSameDate(recorded, sent, { from: from + later, days: days - later })) return true;
  if (!isDated(recorded) || !isDated(sent)) return false;
  const [then, now] = [recorded.slice(0, 10), sent.slice(0, 10)];
  return AROUND.some((step) => {
    const today = from + step;
    if (moveDate(then, days + step) === now) return true;
    const [a, b] = [seenFrom(today, Date.parse(then)), seenFrom(today + days, Date.parse(now))];
    return a.some((one, i) => one !== null && one === b[i]);
  });
}

/** Meanings of a day for a client that counts from `today` by the calendar; null for a meaning it does not have. */
function seenFrom(today: number, ms: number): readonly (string | null)[] {
  const [date, now] = [new Date(ms), new Date(today * DAY_MS)];
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const years = year - now.getUTCFullYear();
  const months = years * 12 + month - now.getUTCMonth();
  const last = new Date(Date.UTC(2000, year * 12 + month - 23_999, 0)).getUTCDate();
  return [
    day === 1 ? `first of month ${months}` : null,
    day === last ? `last of month ${months}` : null,
    months !== 0 && day === Math.min(now.getUTCDate(), last) ? `${months} months away` : null,
    day === 1 && month === 0 ? `first of year ${years}` : null,
    day === 31 && month === 11 ? `last of year ${years}` : null,
  ];
}
