/** The window in which accesses count (§Limits 1), and the days that a time zone is in: 23, 24 or 25 hours long. */
import { DAY_MS, dateAt } from '../spec/index.js';

/** A calendar day in a time zone, or 24 hours back from the call. */
export type DailyWindowSetting =
  | { readonly kind: 'calendar-day'; readonly timeZone: string }
  | { readonly kind: 'rolling' };

export interface Span {
  /** Epoch ms, included. */
  readonly from: number;
  /** Epoch ms, excluded. */
  readonly to: number;
}

/** Both YYYY-MM-DD; the same but for the hours in which UTC and the bank's time zone differ. */
export interface Today {
  readonly earliest: string;
  readonly latest: string;
}

export interface DailyWindow {
  /** The accesses that count for a call at that time; a rolling window ends with the call. */
  readonly spanAt: SpanAt;
  /** The day under which an access is told, YYYY-MM-DD: of the time zone, of UTC where the window rolls. */
  readonly dateAt: (at: number) => string;
  /**
   * Today in UTC and at the bank. A date is past only where it lies before the earliest, and too far ahead only where it
   * lies too far from the latest: whoever counts by either is right.
   */
  readonly todayAt: (at: number) => Today;
}
export type SpanAt = (at: number) => Span;

/** That of the bank: known to be one, since to ask loads what is known of all, which takes 20 ms of a start. */
export const BANK_ZONE = 'Europe/Brussels';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Made once for many calls: it knows the day that it was asked about last. For an unknown zone, asking it throws a RangeError. */
export function openDailyWindow(setting: DailyWindowSetting): DailyWindow {
  const dayAt = createDays(setting.kind === 'calendar-day' ? setting.timeZone : BANK_ZONE);
  const isRolling = setting.kind === 'rolling';
  return {
    spanAt: isRolling ? rollingSpan : dayAt,
    dateAt: isRolling ? dateAt : (at) => dayAt(at).date,
    todayAt: (at) => {
      const utc = dateAt(at);
      const bank = dayAt(at).date;
      return utc < bank ? { earliest: utc, latest: bank } : { earliest: bank, latest: utc };
    },
  };
}

export function rollingSpan(at: number): Span {
  return { from: at - DAY_MS + 1, to: at + 1 };
}

export function isTimeZone(timeZone: string): boolean {
  if (timeZone === BANK_ZONE) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

interface Day extends Span {
  /** YYYY-MM-DD */
  readonly date: string;
}

/** Making a formatter costs a thousand times what using it does, and using it a hundred times what knowing the day does. */
function createDays(timeZone: string): (at: number) => Day {
  let format: Intl.DateTimeFormat | undefined;
  let day: Day = { from: 0, to: 0, date: '' };
  return (at) => {
    if (at >= day.from && at < day.to) return day;
    format ??= new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    day = dayOf(format, at);
    return day;
  };
}

function dayOf(format: Intl.DateTimeFormat, at: number): Day {
  const date = format.format(at);
  const minute = Math.floor(at / MINUTE_MS);
  const reach = (26 * HOUR_MS) / MINUTE_MS;
  return {
    date,
    from: firstMinute(minute - reach, minute, (m) => format.format(m * MINUTE_MS) === date) * MINUTE_MS,
    to: firstMinute(minute, minute + reach, (m) => format.format(m * MINUTE_MS) !== date) * MINUTE_MS,
  };
}

/** The first minute for which it holds; it does not at `before`, does at `after`, and turns once. */
function firstMinute(before: number, after: number, holds: (minute: number) => boolean): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
