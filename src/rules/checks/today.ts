/** The calendar day at the time of a call, with leeway for the clocks of TPP and bank around midnight. */
import type { JudgeOptions } from '../rule.js';

/** Both YYYY-MM-DD; the same but for the hours in which UTC and the bank's time zone differ. */
export interface Today {
  readonly earliest: string;
  readonly latest: string;
}

/** Offsets of time zones change by quarters of an hour, so within one the date stays. */
const QUARTER_MS = 900_000;
const BANK_ZONE = 'Europe/Brussels';

const formats = new Map<string, Intl.DateTimeFormat>();
let lastKey = '';
let last: Today = { earliest: '', latest: '' };

/**
 * Today in UTC and in the bank's time zone. A date is past only where it lies before the earliest, and too far ahead
 * only where it lies too far from the latest: whoever counts by either is right.
 */
export function todayOf(at: number, { dailyWindow }: JudgeOptions): Today {
  const zone = dailyWindow.kind === 'calendar-day' ? dailyWindow.timeZone : BANK_ZONE;
  const key = `${Math.floor(at / QUARTER_MS)} ${zone}`;
  if (key === lastKey) return last;
  const utc = new Date(at).toISOString().slice(0, 10);
  const bank = formatOf(zone).format(at);
  lastKey = key;
  last = utc < bank ? { earliest: utc, latest: bank } : { earliest: bank, latest: utc };
  return last;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    // The Swedish form of a date is YYYY-MM-DD.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}
