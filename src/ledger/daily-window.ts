/** The window in which accesses count (§Limits 1). */
import {
  BANK_ZONE,
  bankDayAt,
  beginOfBankDay,
  type Calendar,
  DAY_MS,
  dateOf,
  openCalendar,
} from '../spec/index.js';

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

export interface DailyWindow {
  /** The accesses that count for a call at that time; a rolling window ends with the call. */
  readonly spanAt: SpanAt;
  /** The day under which an access is told, YYYY-MM-DD: of the time zone, of the bank where the window rolls. */
  readonly dateAt: (at: number) => string;
}
export type SpanAt = (at: number) => Span;

const BANK: Calendar = { dayAt: bankDayAt, beginOf: beginOfBankDay };

/** For an unknown zone, asking it throws a RangeError. */
export function openDailyWindow(setting: DailyWindowSetting): DailyWindow {
  const isRolling = setting.kind === 'rolling';
  const { dayAt, beginOf } =
    isRolling || setting.timeZone === BANK_ZONE ? BANK : openCalendar(setting.timeZone);
  return {
    spanAt: isRolling
      ? rollingSpan
      : (at) => {
          const day = dayAt(at);
          return { from: beginOf(day), to: beginOf(day + 1) };
        },
    dateAt: (at) => dateOf(dayAt(at)),
  };
}

export function rollingSpan(at: number): Span {
  return { from: at - DAY_MS + 1, to: at + 1 };
}

/** The bank's is known to be one: to ask loads what is known of all, which takes 20 ms of a start. */
export function isTimeZone(timeZone: string): boolean {
  if (timeZone === BANK_ZONE) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
