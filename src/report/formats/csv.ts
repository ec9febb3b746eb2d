/** Availability by service and day as CSV (RFC 4180). Numbers, dates and fixed words alone: no cell can be a formula. */
import type { Availability, Report } from '../model.js';

type Service = Availability['services'][number];
type Figures = Service['total'];
type Cell = string | number | null | undefined;
type Published = NonNullable<Availability['published']>['rows'][number];

interface Row {
  readonly service: Service['service'];
  readonly day: string;
  readonly of: Figures;
  readonly published: Published | undefined;
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

const COLUMNS: readonly (readonly [heading: string, cell: (row: Row) => Cell])[] = [
  ['service', ({ service }) => service],
  ['day', ({ day }) => day],
  ['calls', ({ of }) => of.calls],
  ['failed_technical', ({ of }) => of.technical],
  ['failed_business', ({ of }) => of.business],
  ['refused_mistakes', ({ of }) => of.mistakes],
  ['unavailable_periods', ({ of }) => of.unavailable.periods],
  ['unavailable_at_least_s', ({ of }) => seconds(of.unavailable.atLeastMs)],
  ['unavailable_at_most_s', ({ of }) => seconds(of.unavailable.atMostMs)],
  ['longest_time_without_call_s', ({ of }) => seconds(of.longestGapMs)],
  ['first_byte_average_ms', ({ of }) => of.firstByte.averageMs],
  ['first_byte_p95_ms', ({ of }) => of.firstByte.p95Ms],
  ['last_byte_average_ms', ({ of }) => of.lastByte.averageMs],
  ['last_byte_p95_ms', ({ of }) => of.lastByte.p95Ms],
  ['seen_availability_from_percent', ({ published }) => published?.seen.availabilityFrom],
  ['seen_availability_to_percent', ({ published }) => published?.seen.availabilityTo],
  ['published_availability_percent', ({ published }) => published?.published.availability],
  ['published_error_rate_percent', ({ published }) => published?.published.errorRate],
  ['published_average_ms', ({ published }) => published?.published.averageMs],
  ['published_differs', ({ published }) => yesOrNo(published?.differs)],
];

const yesOrNo = (value: boolean | null | undefined): string => (value == null ? '' : value ? 'yes' : 'no');

/** The whole time of each service, then its days. */
export function renderCsv({ availability: { services, published } }: Report): string {
  const publishedOn = new Map(
    published?.rows.map((row) => [`${row.published.day} ${row.published.service}`, row]),
  );
  const rows = services.flatMap(({ service, total, days }): Row[] => [
    { service, day: 'all', of: total, published: undefined },
    ...days.map((of) => ({ service, day: of.day, of, published: publishedOn.get(`${of.day} ${service}`) })),
  ]);
  const lines = rows.map((row) => COLUMNS.map(([, cell]) => cell(row) ?? '').join(','));
  return [COLUMNS.map(([heading]) => heading).join(','), ...lines, ''].join('\r\n');
}
