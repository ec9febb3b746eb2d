/** The calendar day of a time zone, which has 23, 24 or 25 hours. */

export interface Span {
  /** Epoch ms, included. */
  readonly from: number;
  /** Epoch ms, excluded. */
  readonly to: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  day: Span;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
// Making a formatter costs a thousand times what using it does; the zones are those of the configuration.
const zones = new Map<string, Zone>();

/** The day of `at`; throws a RangeError for a time zone that nobody knows. */
export function calendarDay(timeZone: string, at: number): Span {
  const zone = zones.get(timeZone) ?? openZone(timeZone);
  if (at < zone.day.from || at >= zone.day.to) zone.day = dayOf(zone.format, at);
  return zone.day;
}

export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

function openZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const zone = { format, day: { from: 0, to: 0 } };
  zones.set(timeZone, zone);
  return zone;
}

function dayOf(format: Intl.DateTimeFormat, at: number): Span {
  const date = format.format(at);
  const minute = Math.floor(at / MINUTE_MS);
  const reach = (26 * HOUR_MS) / MINUTE_MS;
  return {
    from: firstMinute(minute - reach, minute, (m) => format.format(m * MINUTE_MS) === date) * MINUTE_MS,
    to: firstMinute(minute, minute + reach, (m) => format.format(m * MINUTE_MS) !== date) * MINUTE_MS,
  };
}

/** The first minute for which it holds; it does not at `before`, does at `after`, and turns once. */
function firstMinute(before: number, after: number, holds: (minute: number) => boolean): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
