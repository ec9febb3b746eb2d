/** Accesses per consent, operation and account against the daily allowance. */
import type { Report } from '../../model.js';
import { Nothing, Omitted, Recorded, Section } from '../parts.js';
import { LimitBar } from '../pictures/limit-bar.js';
import { Table } from '../table.js';
import { counted, grouped, groupedOrNone } from '../text.js';

type DailyLimit = Report['dailyLimit'];

export function DailyLimitSection({ dailyLimit }: { dailyLimit: DailyLimit }) {
  const { rows, window, omitted } = dailyLimit;
  const over = rows.filter((row) => row.over > 0 || row.refused > 0).length;
  return (
    <Section
      id="daily-limit"
      title="Daily limit"
      lead={`Accesses without the PSU are limited for each consent, operation and account; the window: ${window}. ${
        rows.length === 0
          ? ''
          : over === 0
            ? 'The limit was kept everywhere.'
            : `The limit was exceeded, or calls tried to, in ${over} of ${counted(rows.length + omitted, 'row')}.`
      }`}
    >
      {rows.length === 0 ? (
        <Nothing>No account information was accessed.</Nothing>
      ) : (
        <LimitTable rows={rows} />
      )}
      <Omitted count={omitted} what="row" />
    </Section>
  );
}

function LimitTable({ rows }: { rows: DailyLimit['rows'] }) {
  const several = new Set(rows.map(({ tpp }) => tpp)).size > 1;
  return (
    <Table
      label="Accesses against the limit"
      caption="Accesses against the limit: filled box, used; crossed box, refused; box with a mark behind the line, given above the limit"
      rows={rows}
      columns={[
        ['Consent', ({ consent }) => <Recorded text={consent} />, 'head'],
        several && ['TPP', ({ tpp }) => <Recorded text={tpp} />],
        [
          'Operation, account',
          ({ operation, account }) => (
            <>
              {operation}
              {account === null ? null : <br />}
              {account === null ? null : <Recorded text={account} />}
            </>
          ),
        ],
        ['Day', ({ day }) => day, 'day'],
        ['Without the PSU', (row, i) => <LimitBar id={`limit-${i}`} row={row} />],
        [
          'Used',
          ({ unattended, allowed, over }) => (
            <>
              {grouped(unattended)} of {allowed}
              {over > 0 ? <strong class="over">, {over} over</strong> : null}
            </>
          ),
          'num',
        ],
        ['Refused', ({ refused }) => groupedOrNone(refused), 'num'],
        ['With the PSU', ({ attended }) => groupedOrNone(attended), 'num'],
      ]}
    />
  );
}
