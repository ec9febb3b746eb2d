/** Every exchange in order with its verdicts. In pages, so that a browser lays out only what is looked at. */
import type { AppendixRow, Report } from '../../model.js';
import { Apart } from '../apart.js';
import { exchangeAnchor, ToFinding } from '../links.js';
import { filterMarks, Nothing, Omitted, Section, Wide } from '../parts.js';
import { Table } from '../table.js';
import { clock, counted, grouped, stamp, visible } from '../text.js';

type Appendix = Report['appendix'];

const PAGE = 100;

export function AppendixSection({ appendix }: { appendix: Appendix }) {
  const { exchanges, omitted, note } = appendix;
  const pages = Array.from({ length: Math.ceil(exchanges.length / PAGE) }, (_, i) =>
    exchanges.slice(i * PAGE, (i + 1) * PAGE),
  );
  return (
    <Section
      id="appendix"
      title="Appendix: every exchange"
      lead={`${counted(exchanges.length, 'exchange')} in the order of recording; times are UTC. Verdicts: complied, violated, not observed.`}
    >
      {note === null ? <Omitted count={omitted} what="exchange" /> : <p class="omitted">{note}</p>}
      {exchanges.length === 0 ? <Nothing>No exchange was recorded.</Nothing> : null}
      <Wide label="Exchanges">
        <Apart of={pages} each={(rows) => <AppendixPage rows={rows} />} />
      </Wide>
    </Section>
  );
}

function AppendixPage({ rows }: { rows: readonly AppendixRow[] }) {
  const first = rows[0];
  const last = rows.at(-1);
  return (
    <div class="page">
      <Table
        look="exchanges"
        caption={
          first === undefined || last === undefined
            ? ''
            : `Numbers ${grouped(first.seq)} to ${grouped(last.seq)}, from ${stamp(first.at)}`
        }
        rows={rows}
        rowProps={({ id, findings }) => ({
          id: exchangeAnchor(id),
          title: id,
          'data-f': filterMarks(findings),
        })}
        columns={[
          ['No.', ({ seq }) => seq, 'head'],
          ['Time', ({ at }) => clock(at)],
          ['Call', (row) => <CallCell row={row} />],
          ['Status', (row) => <StatusCell row={row} />],
          ['ms', ({ ms }) => ms.toFixed(1)],
          ['Verdicts', ({ verdicts: of }) => `${of.complied}/${of.violated}/${of.notObserved}`],
          ['Findings', ({ id, findings }) => <Findings exchange={id} findings={findings} />],
        ]}
      />
    </div>
  );
}

function CallCell({ row: { operation, method, path } }: { row: AppendixRow }) {
  return (
    <>
      {operation ?? 'unknown'}
      <br />
      <bdi>
        {visible(method)} {visible(path)}
      </bdi>
    </>
  );
}

const StatusCell = ({ row: { status, fault, source, injected, sender } }: { row: AppendixRow }) => (
  <>
    {status ?? fault ?? 'none'}
    {source === null ? null : <small>{source}</small>}
    {sender === null ? null : <small>sent by Sandgate</small>}
    {injected === null ? null : <small>injected: {visible(injected)}</small>}
  </>
);

function Findings({ exchange, findings }: { exchange: string; findings: AppendixRow['findings'] }) {
  return findings.map((mark) => (
    <div key={`${mark.rule} ${mark.place}`} class={mark.waived ? 'w' : mark.severity}>
      <ToFinding exchange={exchange} mark={mark}>
        {mark.waived ? 'waived' : mark.severity} {mark.rule}
      </ToFinding>
    </div>
  ));
}
