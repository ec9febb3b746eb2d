/** Accesses per consent, operation and account against the daily allowance. */
import type { Report } from '../../model.js';
import { Nothing, Omitted, Recorded, Section, Wide } from '../parts.js';
import { LimitBar } from '../pictures/limit-bar.js';
import { counted, grouped } from '../text.js';

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
      <Omitted count={omitted} what="rows" />
    </Section>
  );
}

function LimitTable({ rows }: { rows: DailyLimit['rows'] }) {
  const several = new Set(rows.map(({ tpp }) => tpp)).size > 1;
  return (
    <Wide label="Accesses against the limit">
      <table>
        <caption>
          Accesses against the limit: filled box, used; crossed box, refused; box with a mark behind the line,
          given above the limit
        </caption>
        <thead>
          <tr>
            <th scope="col">Consent</th>
            {several ? <th scope="col">TPP</th> : null}
            <th scope="col">Operation, account</th>
            <th scope="col">Day</th>
            <th scope="col">Without the PSU</th>
            <th scope="col" class="num">
              Used
            </th>
            <th scope="col" class="num">
              Refused
            </th>
            <th scope="col" class="num">
              With the PSU
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={`${row.tpp} ${row.consent} ${row.operation} ${row.account} ${row.day}`}>
              <th scope="row">
                <Recorded text={row.consent} />
              </th>
              {several ? (
                <td>
                  <Recorded text={row.tpp} />
                </td>
              ) : null}
              <td>
                {row.operation}
                {row.account === null ? null : (
                  <>
                    <br />
                    <Recorded text={row.account} />
                  </>
                )}
              </td>
              <td class="day">{row.day}</td>
              <td>
                <LimitBar id={`limit-${i}`} row={row} />
              </td>
              <td class="num">
                {grouped(row.unattended)} of {row.allowed}
                {row.over > 0 ? <strong class="over">, {row.over} over</strong> : null}
              </td>
              <td class="num">{row.refused === 0 ? '–' : grouped(row.refused)}</td>
              <td class="num">{row.attended === 0 ? '–' : grouped(row.attended)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
