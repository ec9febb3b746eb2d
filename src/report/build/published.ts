/** The bank’s own statistics beside what was seen, day by day. */
import { DAY_MS, openCalendar } from '../../spec/index.js';
import type { Availability, Statistics } from '../model.js';

type Published = NonNullable<Availability['published']>;
type Day = Availability['services'][number]['days'][number];

/** Half of what the second decimal tells. */
const ROUNDING = 0.005;

export function comparePublished({ zone, services }: Availability, { name, rows }: Statistics): Published {
  const { beginOf } = openCalendar(zone);
  const seenOn = new Map(
    services.flatMap(({ service, days }) =>
      days.filter(({ calls }) => calls > 0).map((one) => [`${one.day} ${service}`, one] as const),
    ),
  );
  const compared = rows.flatMap((published) => {
    const found = seenOn.get(`${published.day} ${published.service}`);
    if (found === undefined) return [];
    const day = Date.parse(published.day) / DAY_MS;
    const seen = seenIn(found, beginOf(day + 1) - beginOf(day));
    const { availability } = published;
    const differs = availability === null ? null : availability > seen.availabilityTo + ROUNDING;
    return [{ published, seen, differs }];
  });
  return { name, rows: compared, notSeen: rows.length - compared.length };
}

function seenIn(
  { unavailable, calls, technical, lastByte }: Day,
  length: number,
): Published['rows'][number]['seen'] {
  const { atLeastMs, atMostMs } = unavailable;
  return {
    availabilityFrom: atMostMs === null ? null : shareUp(atMostMs, length),
    availabilityTo: shareUp(atLeastMs, length),
    errorRate: calls === 0 ? null : rounded((100 * technical) / calls),
    averageMs: lastByte.averageMs,
  };
}

const shareUp = (ms: number, length: number): number => rounded(100 * Math.max(0, 1 - ms / length));
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
