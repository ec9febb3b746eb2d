/** Every exchange in order with its verdicts. In pages, so that a browser lays out only what is looked at. */
import type { AppendixRow, Report } from '../../model.js';
import { exchangeAnchor, type Links } from '../links.js';
import { filterMarks, MaybeLink, Nothing, Omitted, Section, Wide } from '../parts.js';
import { clock, counted, grouped, stamp, visible } from '../text.js';

type Appendix = Report['appendix'];

const PAGE = 100;

export function AppendixSection({ appendix, links }: { appendix: Appendix; links: Links }) {
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
        {pages.map((rows) => (
          <AppendixPage key={rows[0]?.seq} rows={rows} links={links} />
        ))}
      </Wide>
    </Section>
  );
}

function AppendixPage({ rows, links }: { rows: readonly AppendixRow[]; links: Links }) {
  const first = rows[0];
  const last = rows.at(-1);
  return (
    <div class="page">
      <table class="exchanges">
        <caption>
          {first === undefined || last === undefined
            ? ''
            : `Numbers ${grouped(first.seq)} to ${grouped(last.seq)}, from ${stamp(first.at)}`}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="num">
              No.
            </th>
            <th scope="col">Time</th>
            <th scope="col">Call</th>
            <th scope="col" class="num">
              Status
            </th>
            <th scope="col" class="num">
              ms
            </th>
            <th scope="col" class="num">
              Verdicts
            </th>
            <th scope="col">Findings</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} links={links} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, links }: { row: AppendixRow; links: Links }) {
  const { seq, id, at, operation, method, path, status, source, ms, fault, verdicts, findings } = row;
  return (
    <tr id={exchangeAnchor(id)} data-f={filterMarks(findings)}>
      <th scope="row">{seq}</th>
      <td title={id}>{clock(at)}</td>
      <td>
        {operation ?? 'unknown'}
        <br />
        <bdi>
          {visible(method)} {visible(path)}
        </bdi>
      </td>
      <td>
        {status ?? fault ?? 'none'}
        {source === null ? null : <small>{source}</small>}
      </td>
      <td>{ms.toFixed(1)}</td>
      <td>
        {verdicts.complied}/{verdicts.violated}/{verdicts.notObserved}
      </td>
      <td>
        {findings.map((mark) => (
          <div key={`${mark.rule} ${mark.place}`} class={mark.waived ? 'w' : mark.severity}>
            <MaybeLink href={links.finding(id, mark)}>
              {mark.waived ? 'waived' : mark.severity} {mark.rule}
            </MaybeLink>
          </div>
        ))}
      </td>
    </tr>
  );
}
