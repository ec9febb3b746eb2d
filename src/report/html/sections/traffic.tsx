/** The traffic in numbers: operations and statuses, latency, errors. */
import type { Percentiles, Report } from '../../model.js';
import { Name, Nothing, Section, Wide } from '../parts.js';
import { Histogram } from '../pictures/histogram.js';
import { OverTimePicture } from '../pictures/over-time.js';
import { bytes, counted, grouped, millis, visible } from '../text.js';

type Traffic = Report['traffic'];

export function TrafficSection({ traffic }: { traffic: Traffic }) {
  const { exchanges, bytesIn, bytesOut, latency, faults, overTime } = traffic;
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
              <span class="swatch bank" aria-hidden="true" /> bank’s share, right bar
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
              <Name>{kind}</Name>, {counted(count, 'time')}: {visible(message)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const MEASURES = ['p50', 'p90', 'p99', 'max'] as const;

function LatencyTable({ latency }: { latency: Traffic['latency'] }) {
  const rows: readonly (readonly [string, Percentiles])[] = [
    ['Gateway’s own share', latency.gateway],
    ['Bank', latency.bank],
    ['Total', latency.total],
  ];
  return (
    <table class="narrow">
      <caption>Latency in milliseconds</caption>
      <thead>
        <tr>
          <th scope="col">Share</th>
          {MEASURES.map((measure) => (
            <th scope="col" class="num" key={measure}>
              {measure}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, percentiles]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {MEASURES.map((measure) => (
              <td class="num" key={measure}>
                {millis(percentiles[measure])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OperationTraffic({ operations }: { operations: Traffic['operations'] }) {
  return (
    <>
      <h3>By operation</h3>
      <Wide label="Traffic by operation">
        <table>
          <caption>Calls by operation and status; latency in milliseconds</caption>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="num">
                Calls
              </th>
              <th scope="col">Statuses</th>
              <th scope="col" class="num">
                Errors
              </th>
              <th scope="col" class="num">
                Gateway p50
              </th>
              <th scope="col" class="num">
                Gateway p99
              </th>
              <th scope="col" class="num">
                Bank p50
              </th>
              <th scope="col" class="num">
                Bank p99
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, calls, statuses, errors, gateway, bank }) => (
              <tr key={operation}>
                <th scope="row">{operation === null ? 'no known operation' : <Name>{operation}</Name>}</th>
                <td class="num">{grouped(calls)}</td>
                <td>
                  {statuses.map(({ value, count }) => `${visible(value)} × ${grouped(count)}`).join(', ')}
                </td>
                <td class="num">{errors === 0 ? '–' : grouped(errors)}</td>
                <td class="num">{millis(gateway.p50)}</td>
                <td class="num">{millis(gateway.p99)}</td>
                <td class="num">{millis(bank.p50)}</td>
                <td class="num">{millis(bank.p99)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}
