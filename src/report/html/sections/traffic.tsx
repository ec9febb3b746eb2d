/** The traffic in numbers: operations and statuses, latency, errors. */
import type { Percentiles, Report } from '../../model.js';
import { useParties } from '../links.js';
import { Name, Nothing, Section, Wide } from '../parts.js';
import { Histogram, OverTimePicture } from '../pictures/traffic.js';
import { type Column, Table } from '../table.js';
import { bytes, counted, grouped, groupedOrNone, millis, tallied, titled, visible } from '../text.js';

type Traffic = Report['traffic'];

export function TrafficSection({ traffic }: { traffic: Traffic }) {
  const { exchanges, bytesIn, bytesOut, latency, faults, overTime } = traffic;
  const { aspsp } = useParties();
  return (
    <Section
      id="traffic"
      title="Traffic"
      lead={`${counted(exchanges, 'exchange')}; ${bytes(bytesIn)} of requests, ${bytes(bytesOut)} of answers.`}
    >
      {exchanges === 0 ? (
        <Nothing>There was none.</Nothing>
      ) : (
        <>
          <h3>Over time</h3>
          <ul class="stages" aria-label="Colours of the picture">
            <li>
              <span class="swatch bank" aria-hidden="true" /> calls
            </li>
            <li>
              <span class="swatch must" aria-hidden="true" /> errors among them
            </li>
          </ul>
          <Wide label="Picture of calls over time">
            <OverTimePicture overTime={overTime} />
          </Wide>
          <h3>Latency</h3>
          <LatencyTable latency={latency} />
          <ul class="stages" aria-label="Colours of the picture">
            <li>
              <span class="swatch gateway" aria-hidden="true" /> gateway’s own share, left bar
            </li>
            <li>
              <span class="swatch bank" aria-hidden="true" /> {aspsp}’s share, right bar
            </li>
          </ul>
          <Wide label="Picture of latency">
            <Histogram bins={latency.histogram} />
          </Wide>
          <OperationTraffic operations={traffic.operations} />
        </>
      )}
      <h3>Failures of transport</h3>
      {faults.length === 0 ? (
        <Nothing>None.</Nothing>
      ) : (
        <ul class="plain">
          {faults.map(({ kind, count, message }) => (
            <li key={kind}>
              <Name>{kind}</Name>, {counted(count, 'time')}
              {count > 1 ? ', first' : ''}: {visible(message)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const MEASURES = ['p50', 'p90', 'p99', 'max'] as const;

function LatencyTable({ latency }: { latency: Traffic['latency'] }) {
  const { aspsp } = useParties();
  const rows: readonly (readonly [string, Percentiles])[] = [
    ['Gateway’s own share', latency.gateway],
    [titled(aspsp), latency.bank],
    ['Total', latency.total],
  ];
  return (
    <Table
      caption="Latency in milliseconds"
      look="narrow"
      rows={rows}
      columns={[
        ['Share', ([name]) => name, 'head'],
        ...MEASURES.map(
          (measure): Column<(typeof rows)[number]> => [measure, ([, of]) => millis(of[measure]), 'num'],
        ),
      ]}
    />
  );
}

function OperationTraffic({ operations }: { operations: Traffic['operations'] }) {
  const name = titled(useParties().aspsp);
  return (
    <>
      <h3>By operation</h3>
      <Table
        label="Traffic by operation"
        caption="Calls by operation and status; latency in milliseconds"
        rows={operations}
        columns={[
          [
            'Operation',
            ({ operation }) => (operation === null ? 'no known operation' : <Name>{operation}</Name>),
            'head',
          ],
          ['Calls', ({ calls }) => grouped(calls), 'num'],
          ['Statuses', ({ statuses }) => tallied(statuses)],
          ['Errors', ({ errors }) => groupedOrNone(errors), 'num'],
          ['Gateway p50', ({ gateway }) => millis(gateway.p50), 'num'],
          ['Gateway p99', ({ gateway }) => millis(gateway.p99), 'num'],
          [`${name} p50`, ({ bank }) => millis(bank.p50), 'num'],
          [`${name} p99`, ({ bank }) => millis(bank.p99), 'num'],
        ]}
      />
    </>
  );
}
