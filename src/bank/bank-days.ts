/** The days on which banks settle: those of TARGET, the euro's payment system. Days are numbered as `dayOf` does. */

export interface CalendarDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** Of the month, from 1. */
  readonly date: number;
}

const DAYS_OF_400_YEARS = 146_097;
/** From 1 March of the year 0, where the calendar's cycles begin, to 1 January 1970. */
const CYCLES_BEGIN = 719_468;

export function calendarDateOf(day: number): CalendarDate {
  const since = day + CYCLES_BEGIN;
  const cycle = Math.floor(since / DAYS_OF_400_YEARS);
  const ofCycle = since - cycle * DAYS_OF_400_YEARS;
  const yearOfCycle = Math.floor(
    (ofCycle - Math.floor(ofCycle / 1460) + Math.floor(ofCycle / 36_524) - Math.floor(ofCycle / 146_096)) /
      365,
  );
  const ofYear = ofCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0),
    month,
    date: ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** The day of a date; months and dates beyond their end lead on into the next. */
export function dayOfDate(year: number, month: number, date: number): number {
  const [years, months] = [year + Math.floor((month - 1) / 12), (((month - 1) % 12) + 12) % 12];
  const marchYear = months < 2 ? years - 1 : years;
  const cycle = Math.floor(marchYear / 400);
  const yearOfCycle = marchYear - cycle * 400;
  const ofYear = Math.floor((153 * ((months + 10) % 12) + 2) / 5) + date - 1;
  const ofCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + ofYear;
  return cycle * DAYS_OF_400_YEARS + ofCycle - CYCLES_BEGIN;
}

/** From 0, Monday, to 6, Sunday. 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Easter Sunday, by the anonymous Gregorian algorithm. */
function easterOf(year: number): number {
  const [golden, century] = [year % 19, Math.floor(year / 100)];
  const skipped = century - Math.floor(century / 4);
  const moved = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + skipped - moved + 15) % 30;
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * sunday) / 451);
  return dayOfDate(year, 3, 22 + epact + sunday - 7 * late);
}

/** Month and date, as month × 100 + date. */
const HOLIDAYS: ReadonlySet<number> = new Set([101, 501, 1225, 1226]);

/** No weekend, and no holiday of TARGET: New Year, Good Friday, Easter Monday, 1 May, 25 and 26 December. */
export function isBankDay(day: number): boolean {
  if (weekdayOf(day) > 4) return false;
  const { year, month, date } = calendarDateOf(day);
  if (HOLIDAYS.has(month * 100 + date)) return false;
  if (month !== 3 && month !== 4) return true;
  const fromEaster = day - easterOf(year);
  return fromEaster !== -2 && fromEaster !== 1;
}

/** The day itself, if banks settle on it, or the next one on which they do. */
export function nextBankDay(day: number): number {
  let next = day;
  while (!isBankDay(next)) next++;
  return next;
}

/** The day itself, if banks settle on it, or the last one before it on which they did. */
export function lastBankDay(day: number): number {
  let last = day;
  while (!isBankDay(last)) last--;
  return last;
}
