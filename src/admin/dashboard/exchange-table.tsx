/** The table of exchanges, newest first, with the findings of each. */
import { Name, Severity, Table, Time, visible } from '../../report/index.js';
import type { RecordedExchange } from '../../store/index.js';

export const exchangePath = (id: string) => `/exchanges/${encodeURIComponent(id)}`;

interface TableParts {
  readonly caption: string;
  readonly records: readonly RecordedExchange[];
}

export function ExchangeTable({ caption, records }: TableParts) {
  return (
    <Table
      label={caption}
      caption={caption}
      isCaptionHidden
      look="exchanges"
      rows={records}
      columns={[
        ['Time, UTC', ({ exchange }) => <Time at={new Date(exchange.call.at).toISOString()} />],
        [
          'Call',
          ({ exchange: { call } }) => (
            <>
              <a href={exchangePath(call.id)}>{call.operation ?? 'no known operation'}</a>
              <div class="path">
                {visible(call.request.method)} {visible(call.request.path)}
              </div>
            </>
          ),
          'head',
        ],
        [
          'Status',
          ({ exchange: { answer, fault } }) => (
            <>
              <span class="num">{answer?.status ?? fault?.kind ?? 'none'}</span>
              <div class="soft">{answer?.source}</div>
            </>
          ),
        ],
        ['TPP', ({ exchange: { call } }) => (call.tpp === null ? '–' : visible(call.tpp))],
        ['ms', ({ exchange }) => exchange.elapsed.total.toFixed(1), 'num'],
        ['Findings', findingsOf, 'marks'],
      ]}
    />
  );
}

function findingsOf({ findings }: RecordedExchange) {
  if (findings.length === 0) return '–';
  return findings.map(({ rule, severity, place, waived }) => (
    <div key={`${rule} ${place}`}>
      <Severity severity={severity} waived={waived !== undefined} /> <Name>{rule}</Name>
    </div>
  ));
}
