/** Dates of the sandbox's data, which are counted in days from today (UTC). */
import { DAY_MS } from '../../spec/index.js';

/** The number of the day of a time, since the epoch. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** YYYY-MM-DD of a day's number. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
