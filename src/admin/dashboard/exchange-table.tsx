/** The table of exchanges, newest first, with the findings of each. */
import { Name, Severity, Time, visible, Wide } from '../../report/index.js';
import type { RecordedExchange } from '../../store/index.js';

export const exchangePath = (id: string) => `/exchanges/${encodeURIComponent(id)}`;

export function ExchangeTable({
  caption,
  records,
}: {
  caption: string;
  records: readonly RecordedExchange[];
}) {
  return (
    <Wide label={caption}>
      <table class="exchanges">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Time, UTC</th>
            <th scope="col">Call</th>
            <th scope="col">Status</th>
            <th scope="col">TPP</th>
            <th scope="col" class="num">
              ms
            </th>
            <th scope="col">Findings</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row key={record.exchange.call.id} record={record} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Row({ record: { exchange, findings } }: { record: RecordedExchange }) {
  const { call, answer, fault, elapsed } = exchange;
  const { method, path } = call.request;
  return (
    <tr>
      <td>
        <Time at={new Date(call.at).toISOString()} />
      </td>
      <th scope="row">
        <a href={exchangePath(call.id)}>{call.operation ?? 'no known operation'}</a>
        <div class="path">
          {visible(method)} {visible(path)}
        </div>
      </th>
      <td>
        <span class="num">{answer?.status ?? fault?.kind ?? 'none'}</span>
        <div class="soft">{answer?.source}</div>
      </td>
      <td>{call.tpp === null ? '–' : visible(call.tpp)}</td>
      <td class="num">{elapsed.total.toFixed(1)}</td>
      <td class="marks">
        {findings.length === 0
          ? '–'
          : findings.map(({ rule, severity, place, waived }) => (
              <div key={`${rule} ${place}`}>
                <Severity severity={severity} waived={waived !== undefined} /> <Name>{rule}</Name>
              </div>
            ))}
      </td>
    </tr>
  );
}
