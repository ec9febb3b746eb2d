/** How the bank could be reached, and how fast it answered, by service and day. */

import { countedCalls, SERVICE_NAMES, unavailableText } from '../../formats/lines.js';
import type { Availability } from '../../model.js';
import { Nothing, Omitted, Section, Time } from '../parts.js';
import { type Column, Table } from '../table.js';
import { grouped, groupedOrNone, lasting, millis, visible } from '../text.js';

type Service = Availability['services'][number];
type Figures = Service['total'];

export function AvailabilitySection({ availability }: { availability: Availability }) {
  const { services, note, zone, published } = availability;
  return (
    <Section id="availability" title="Availability" lead={`${note} Days are those of ${zone}.`}>
      {services.length === 0 ? <Nothing>Nothing is known of a bank.</Nothing> : null}
      {services.length === 0 ? null : (
        <Table
          label="Availability by service"
          caption="Calls, failures and speed by service; speed is that of answers below 500"
          rows={services}
          columns={[['Service', ({ service }) => SERVICE_NAMES[service], 'head'], ...columnsOf(totalOf)]}
        />
      )}
      <Table
        label="Where calls are counted"
        caption="Where each call is counted"
        look="narrow"
        rows={countedCalls(availability)}
        columns={[
          ['Calls', ([where]) => where, 'head'],
          ['Number', ([, calls]) => grouped(calls), 'num'],
        ]}
      />
      {services.map((service) => (
        <ServiceDetails key={service.service} of={service} />
      ))}
      {published === null ? null : <Published published={published} />}
    </Section>
  );
}

const totalOf = ({ total }: Service): Figures => total;

function columnsOf<T>(of: (row: T) => Figures): Column<T>[] {
  return [
    ['Calls', (row) => grouped(of(row).calls), 'num'],
    ['Failed, technical', (row) => groupedOrNone(of(row).technical), 'num'],
    ['Failed, business', (row) => groupedOrNone(of(row).business), 'num'],
    ['Mistakes', (row) => groupedOrNone(of(row).mistakes), 'num'],
    ['Unavailable', (row) => unavailableText(of(row).unavailable)],
    ['Longest time without a call', (row) => longest(of(row).longestGapMs), 'num'],
    ['First byte, ms', (row) => millis(of(row).firstByte.averageMs), 'num'],
    ['Average, ms', (row) => millis(of(row).lastByte.averageMs), 'num'],
    ['95 of 100, ms', (row) => millis(of(row).lastByte.p95Ms), 'num'],
  ];
}

const longest = (ms: number | null): string => (ms === null ? '–' : lasting(ms));

function ServiceDetails({ of: { service, days, omittedDays, periods, omittedPeriods } }: { of: Service }) {
  const name = SERVICE_NAMES[service];
  return (
    <details>
      <summary>{name}, by day</summary>
      <Table
        label={`${name} by day`}
        caption={`${name} by day`}
        rows={days}
        columns={[['Day', ({ day }) => day, 'day'], ...columnsOf<(typeof days)[number]>((row) => row)]}
      />
      <Omitted count={omittedDays} what="day" />
      {periods.length === 0 ? null : (
        <Table
          label={`${name}: failed calls in a row`}
          caption={`${name}: failed calls in a row`}
          rows={periods}
          columns={[
            ['First', ({ from }) => <Time at={from} />],
            ['Last', ({ to }) => <Time at={to} />],
            ['Last good before', ({ lastGood }) => (lastGood === null ? 'none' : <Time at={lastGood} />)],
            ['First good after', ({ firstGood }) => (firstGood === null ? 'none' : <Time at={firstGood} />)],
            ['Calls', ({ calls }) => grouped(calls), 'num'],
            ['Counted as unavailable', ({ presumed }) => (presumed ? 'yes' : 'no')],
          ]}
        />
      )}
      <Omitted count={omittedPeriods} what="period" />
    </details>
  );
}

function Published({
  published: { name, rows, notSeen },
}: {
  published: NonNullable<Availability['published']>;
}) {
  return (
    <>
      <h3>The bank’s own statistics, {visible(name)}</h3>
      <Table
        label="Published and seen"
        caption="Published by the bank, and seen from here"
        rows={rows}
        columns={[
          ['Day', ({ published }) => published.day, 'day'],
          ['Service', ({ published }) => SERVICE_NAMES[published.service]],
          ['Published, %', ({ published }) => published.availability ?? '–', 'num'],
          ['Seen, %', ({ seen }) => `${seen.availabilityFrom ?? '?'} to ${seen.availabilityTo}`, 'num'],
          ['Published errors, %', ({ published }) => published.errorRate ?? '–', 'num'],
          ['Seen errors, %', ({ seen }) => seen.errorRate ?? '–', 'num'],
          ['Published average, ms', ({ published }) => millis(published.averageMs), 'num'],
          ['Seen average, ms', ({ seen }) => millis(seen.averageMs), 'num'],
          [
            'Differs',
            ({ differs }) =>
              differs === true ? <strong class="over">yes</strong> : differs === null ? '–' : 'no',
          ],
        ]}
      />
      {notSeen === 0 ? null : (
        <p class="omitted">{grouped(notSeen)} published for days without a call are not compared.</p>
      )}
    </>
  );
}
