/**
 * Days of a time zone. A bank's are those of Europe/Brussels (reading `bank-calendar`): whatever becomes a day of the
 * bank becomes it here. Days are numbered from 1 January 1970, as the days of `dateOf` are.
 */
import { dateOf } from './formats.js';
import { DAY_MS } from './limits.js';

export const BANK_ZONE = 'Europe/Brussels';

export interface Calendar {
  /** The number of the day that a moment (epoch ms) lies in; NaN of NaN. */
  readonly dayAt: (at: number) => number;
  /** When a day begins (epoch ms): the one before it ends there, after 23, 24 or 25 hours. */
  readonly beginOf: (day: number) => number;
  /** How far clocks there are ahead of UTC, in ms. */
  readonly offsetAt: (at: number) => number;
}

const MINUTE_MS = 60_000;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `25 November`, of a date YYYY-MM-DD. */
export function dayInWords(date: string): string {
  return `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** `00:00 on 25 November (Europe/Brussels)`; a minute that has begun counts as the next. */
export function timeInWords(at: number, { offsetAt }: Calendar, timeZone: string): string {
  const there = new Date(Math.ceil((at + offsetAt(at)) / MINUTE_MS) * MINUTE_MS).toISOString();
  return `${there.slice(11, 16)} on ${dayInWords(there)} (${timeZone})`;
}

/** In no zone do clocks change between two quarters of an hour. */
const QUARTER_MS = 900_000;
/** Offsets that are remembered, a few bytes each: those of three months. */
const MOST_OFFSETS = 10_000;

/**
 * Asking the platform for an offset takes microseconds, and a call asks several times: offsets are remembered, the last
 * one at hand. For an unknown zone, asking throws a RangeError.
 */
export function openCalendar(timeZone: string): Calendar {
  const offsets = new Map<number, number>();
  let format: Intl.DateTimeFormat | undefined;
  let [lastQuarter, lastOffset] = [Number.NaN, 0];

  function offsetAt(at: number): number {
    const quarter = Math.floor(at / QUARTER_MS);
    if (quarter === lastQuarter) return lastOffset;
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      format ??= new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
      offset = readOffset(format, quarter * QUARTER_MS);
      if (offsets.size >= MOST_OFFSETS) offsets.clear();
      offsets.set(quarter, offset);
    }
    [lastQuarter, lastOffset] = [quarter, offset];
    return offset;
  }

  const dayAt = (at: number): number => (Number.isNaN(at) ? at : Math.floor((at + offsetAt(at)) / DAY_MS));
  return {
    dayAt,
    offsetAt,
    beginOf(day) {
      const midnight = day * DAY_MS;
      if (Number.isNaN(midnight)) return midnight;
      // A time near midnight comes twice, or not at all, when clocks change.
      const [before, after] = [
        midnight - offsetAt(midnight - DAY_MS),
        midnight - offsetAt(midnight + DAY_MS),
      ];
      const [first, second] = before < after ? [before, after] : [after, before];
      return dayAt(first) === day ? first : second;
    },
  };
}

/** `GMT`, `GMT+01:00`, and of times long past `GMT+00:17:30`; in ms. */
function readOffset(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [sign, ...parts] = [name.slice(3, 4), ...name.slice(4).split(':').map(Number)] as [
    string,
    ...number[],
  ];
  if (sign === '') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = parts;
  return (sign === '-' ? -1000 : 1000) * ((hours * 60 + minutes) * 60 + seconds);
}

export const BANK_CALENDAR = openCalendar(BANK_ZONE);

export const { dayAt: bankDayAt, beginOf: beginOfBankDay } = BANK_CALENDAR;

export const bankDateAt = (at: number): string => dateOf(bankDayAt(at));
