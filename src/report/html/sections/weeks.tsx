/** The weeks of a trend: how the bank could be reached, and how fast it answered. */
import type { TrendAvailability, TrendWeek } from '../../trend/model.js';
import { Omitted, Section, Wide } from '../parts.js';
import { OverTimePicture } from '../pictures/traffic.js';
import { Table } from '../table.js';
import { grouped, groupedOrNone, lasting, millis } from '../text.js';

const SERVICES = {
  AIS: 'Account information',
  PIS: 'Payment initiation',
  CBPII: 'Confirmation of funds',
} as const;
const SERVICE_IDS = ['AIS', 'PIS', 'CBPII'] as const;

export function WeeksSection({
  availability: { zone, weeks, omitted },
}: {
  availability: TrendAvailability;
}) {
  return (
    <Section
      id="weeks"
      title="Availability and speed"
      lead={
        weeks.length === 0
          ? 'No bank was called: the emulator and replayed answers say nothing of one.'
          : `As seen from here, of calls that a bank was asked for, by week (${zone}), which begins on a Monday.`
      }
    >
      {weeks.length === 0 ? null : <WeeksPicture weeks={weeks} />}
      {SERVICE_IDS.map((service) => {
        const of = weeks.filter((one) => one.service === service);
        return of.length === 0 ? null : <ServiceWeeks key={service} service={service} weeks={of} />;
      })}
      <Omitted count={omitted} what="exchange of further weeks" many="exchanges of further weeks" />
    </Section>
  );
}

/** Calls and technical failures of all services, an empty week where there was no call. */
function WeeksPicture({ weeks }: { weeks: readonly TrendWeek[] }) {
  const begins = weeks.map(({ week }) => Date.parse(week));
  const [first, last] = [Math.min(...begins), Math.max(...begins)];
  const spans = Array.from({ length: (last - first) / WEEK_MS + 1 }, (_, i) => {
    const at = new Date(first + i * WEEK_MS).toISOString();
    const of = weeks.filter(({ week }) => week === at.slice(0, 10));
    const sum = (one: 'calls' | 'technical') => of.reduce((all, row) => all + row[one], 0);
    return { at, calls: sum('calls'), errors: sum('technical') };
  });
  return (
    <>
      <ul class="stages" aria-label="Colours of the picture">
        <li>
          <span class="swatch bank" aria-hidden="true" /> calls of a week
        </li>
        <li>
          <span class="swatch must" aria-hidden="true" /> technical failures among them
        </li>
      </ul>
      <Wide label="Picture of calls by week">
        <OverTimePicture overTime={{ spanSeconds: WEEK_MS / 1000, spans: spans.slice(-MOST_BARS) }} />
      </Wide>
    </>
  );
}

const WEEK_MS = 604_800_000;
const MOST_BARS = 120;

function ServiceWeeks({ service, weeks }: { service: keyof typeof SERVICES; weeks: readonly TrendWeek[] }) {
  const title = SERVICES[service];
  return (
    <>
      <h3>{title}</h3>
      <Table
        label={`Weeks: ${title}`}
        caption="Milliseconds from when the bank was asked to its last byte; unavailable: five or more failed calls in a row"
        rows={weeks}
        columns={[
          ['Week of', ({ week }) => <time dateTime={week}>{week}</time>, 'head'],
          ['Calls', ({ calls }) => grouped(calls), 'num'],
          ['Failed technically', ({ technical }) => groupedOrNone(technical), 'num'],
          ['Refused', ({ business, mistakes }) => groupedOrNone(business + mistakes), 'num'],
          ['Unavailable, at least', ({ unavailable }) => unavailableText(unavailable), 'num'],
          [
            'Longest time without a call',
            ({ longestGapMs }) => (longestGapMs === null ? '–' : lasting(longestGapMs)),
            'num',
          ],
          ['Average', ({ lastByte }) => millis(lastByte.averageMs), 'num'],
          ['p95', ({ lastByte }) => millis(lastByte.p95Ms), 'num'],
        ]}
      />
    </>
  );
}

const unavailableText = ({ periods, atLeastMs }: TrendWeek['unavailable']): string =>
  periods === 0 ? '–' : `${lasting(atLeastMs)} (${periods}×)`;
