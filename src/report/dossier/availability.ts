/** How the bank was reached, on the second page: calls, failures and speed by service, days as bars, and the bank's own statistics. */
import { countedCalls, SERVICE_NAMES } from '../formats/lines.js';
import { counted, day, grouped } from '../html/text.js';
import type { Report } from '../model.js';
import { type Block, cell, text } from './blocks.js';
import { lengthOf, organisations } from './words.js';

const MOST_ROWS = 40;
const right = { align: 'right' } as const;

type Service = Report['availability']['services'][number];

export function availability(report: Report): Block[] {
  const { services, note } = report.availability;
  if (services.length === 0) return [text(note), whereCounted(report)];
  return [
    {
      kind: 'table',
      columns: [
        { head: 'Service', share: 19 },
        { head: 'calls', share: 8, ...right },
        { head: 'failed, technical', share: 9, ...right },
        { head: 'failed, business', share: 9, ...right },
        { head: 'first byte: average, 95 of 100', share: 15, ...right },
        { head: 'last byte: average, 95 of 100', share: 15, ...right },
        { head: 'unavailable, as seen', share: 25 },
      ],
      rows: services.map(({ service, total }) => [
        cell(SERVICE_NAMES[service]),
        cell(grouped(total.calls)),
        cell(percent(total.technical, total.calls), total.technical > 0 ? 'alarm' : 'plain'),
        cell(percent(total.business, total.calls)),
        cell(speed(total.firstByte)),
        cell(speed(total.lastByte)),
        cell(unavailable(total)),
      ]),
      least: services.length,
    },
    ...services.slice(0, 1).flatMap(bars),
    text(howCounted(report), 'small', 'quiet'),
    { ...text(note, 'small', 'quiet'), least: 1 },
    whereCounted(report),
    ...published(report),
  ];
}

function whereCounted({ availability: seen }: Report): Block {
  const rows = countedCalls(seen).map(([where, calls]) => [cell(where), cell(grouped(calls))]);
  return {
    kind: 'table',
    columns: [
      { head: 'Where each call of this record is counted', share: 80 },
      { head: 'Calls', share: 20, ...right },
    ],
    rows,
    least: rows.length,
  };
}

/** For whoever holds a bank to it: how the time is counted, and that it is not all that the law speaks of. */
function howCounted(report: Report): string {
  const by = organisations(report).length === 1 ? ', of one third party provider' : '';
  return `Unavailable: five or more calls of a service in a row failed for technical reasons, that is no whole answer within 30 seconds, no connection, or an error of the server (5xx). At least: from the first of these calls to the last. At most: from the last good answer before to the first good one after. RTS Art. 33(1) presumes unavailability where five consecutive requests get no reply within 30 seconds; here a 5xx counts as no reply. Seen by the calls of this record alone${by}: others may have seen more or less.`;
}

/** Two digits that mean something: `0.11 %`. Nothing but all of it is 100 %. */
function percent(part: number, of: number): string {
  if (of === 0) return '–';
  const share = (100 * part) / of;
  if (part === 0 || part === of) return `${share} %`;
  if (share >= 99.5) return 'over 99 %';
  return `${share.toFixed(Math.max(0, 1 - Math.floor(Math.log10(share))))} %`;
}

const milliseconds = (ms: number | null): string => (ms === null ? '–' : `${grouped(Math.round(ms))} ms`);

const speed = ({ count, averageMs, p95Ms }: Service['total']['lastByte']): string =>
  count === 0 ? 'not recorded' : `${milliseconds(averageMs)}, ${milliseconds(p95Ms)}`;

function unavailable({
  unavailable: { periods, atLeastMs, atMostMs },
  longestGapMs,
}: Service['total']): string {
  const gap = longestGapMs === null ? '' : `; longest time without a call ${lengthOf(longestGapMs, 'floor')}`;
  if (periods === 0) return `none seen${gap}`;
  const upTo = atMostMs === null ? 'beginning or end not seen' : `at most ${lengthOf(atMostMs, 'ceil')}`;
  return `${counted(periods, 'period')}: at least ${lengthOf(atLeastMs, 'floor')}, ${upTo}${gap}`;
}

const MOST_BARS = 92;

function bars({ service, days, omittedDays }: Service): Block[] {
  if (days.length < 2) return [];
  const shown = days.slice(-MOST_BARS);
  const most = Math.max(...shown.map(({ calls }) => calls), 1);
  const [first, last] = [shown[0], shown.at(-1)];
  const failing = shown.filter((one) => one.unavailable.periods > 0);
  if (first === undefined || last === undefined) return [];
  const failed =
    failing.length === 0
      ? 'none with unavailability'
      : `unavailable on ${failing
          .map((one) => day(one.day))
          .slice(0, 5)
          .join(', ')} (outlined)`;
  const silent = shown.filter(({ calls }) => calls === 0).length;
  const earlier = days.length - shown.length;
  const more = [
    silent === 0 ? '' : `; no calls seen on ${counted(silent, 'day')}`,
    earlier === 0 ? '' : `; ${counted(earlier, 'earlier day')} in the attached table`,
    omittedDays === 0 ? '' : `; ${counted(omittedDays, 'day')} too many to follow`,
  ].join('');
  const said = `${SERVICE_NAMES[service]}, calls by day, ${day(first.day)} to ${day(last.day)}; most on one day ${grouped(most)}; ${failed}${more}.`;
  return [
    text(said, 'small', 'quiet'),
    {
      kind: 'bars',
      alt: said,
      bars: shown.map((one) => ({ height: one.calls / most, marked: one.unavailable.periods > 0 })),
    },
  ];
}

function published({ availability: { published: given } }: Report): Block[] {
  if (given === null) return [];
  const differing = given.rows.filter(({ differs }) => differs === true);
  const intro = `The bank’s published statistics (${given.name}): ${counted(given.rows.length, 'day')} compared, ${grouped(differing.length)} ${differing.length === 1 ? 'differs' : 'differ'} from what was seen${given.notSeen === 0 ? '' : `; ${grouped(given.notSeen)} published for days on which no calls were seen`}.`;
  if (differing.length === 0) return [text(intro)];
  return [
    text(intro),
    {
      kind: 'table',
      columns: [
        { head: 'Day', share: 24 },
        { head: 'Service', share: 26 },
        { head: 'Published availability', share: 20, ...right },
        { head: 'Seen', share: 30, ...right },
      ],
      rows: differing
        .slice(0, MOST_ROWS)
        .map(({ published: one, seen }) => [
          cell(day(one.day)),
          cell(SERVICE_NAMES[one.service]),
          cell(one.availability === null ? '–' : `${one.availability} %`),
          cell(
            `${seen.availabilityFrom === null ? 'less' : `${seen.availabilityFrom.toFixed(2)} %`} to ${seen.availabilityTo.toFixed(2)} %`,
            'alarm',
          ),
        ]),
      of: differing.length,
      least: 1,
    },
  ];
}
