/** Availability and speed of the bank by week, each week counted as a report counts its session. */
import { arrivedAt } from '../../exchange/index.js';
import { dateOf, openCalendar } from '../../spec/index.js';
import { collectAvailability, zoneOf } from '../build/availability.js';
import type { Seen } from '../build/collector.js';
import { DEFAULT_CAPS } from '../build-report.js';
import type { Judging } from '../model.js';
import type { TrendAvailability } from './model.js';

/** Five years. */
const MOST_WEEKS = 260;

/** The days of all sessions are those of the first one's settings. */
export function collectWeeks() {
  const weeks = new Map<number, ReturnType<typeof collectAvailability>>();
  let opened: { readonly judging: Judging; readonly calendar: ReturnType<typeof openCalendar> } | null = null;
  let omitted = 0;
  return {
    open(judging: Judging): void {
      opened ??= { judging, calendar: openCalendar(zoneOf(judging)) };
    },
    take(seen: Seen): void {
      if (opened === null) return;
      const week = mondayOf(opened.calendar.dayAt(arrivedAt(seen.record.exchange.call)));
      const known = weeks.get(week);
      if (known === undefined && weeks.size >= MOST_WEEKS) {
        omitted++;
        return;
      }
      const collector = known ?? collectAvailability(opened.judging, DEFAULT_CAPS);
      weeks.set(week, collector);
      collector.take(seen);
    },
    finish(): TrendAvailability {
      const all = [...weeks].sort(([a], [b]) => a - b).map(([week, one]) => ({ week, ...one.finish() }));
      return {
        zone: opened === null ? null : zoneOf(opened.judging),
        omitted,
        weeks: all.flatMap(({ week, services }) =>
          services.map(({ service, total }) => ({ week: dateOf(week), service, ...total })),
        ),
      };
    },
  };
}

/** The number of the Monday of a day's week; day 0 was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);
