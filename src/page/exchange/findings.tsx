/** Each finding: what was sent, why it matters, what to do, and the clause. */
import type { Detail } from '../../admin/index.js';
import { counted } from '../format.js';
import { Row } from '../kv.js';

type Finding = Detail['findings'][number];

export function Findings({ exchange: { findings } }: { exchange: Detail }) {
  if (findings.length === 0) return null;
  return (
    <section aria-label="Findings">
      {findings.map((one, i) => (
        <details class="finding" key={`${one.rule} ${one.place}`} open={i === 0}>
          <summary>
            <span class={`badge ${one.waived === undefined ? one.severity : 'waived'}`}>{one.severity}</span>{' '}
            <span class="mono">{one.rule}</span>
            {i === 0 ? null : <span class="said-of">{one.sentence}</span>}
          </summary>
          <Finding finding={one} isFirst={i === 0} />
        </details>
      ))}
    </section>
  );
}

/** Of the first, the page has said above what to do. */
function Finding({ finding, isFirst }: { readonly finding: Finding; readonly isFirst: boolean }) {
  const { judges, waived, statement, why, fix, clauses, sources } = finding;
  return (
    <>
      <dl class="kv">
        {isFirst ? null : <Row term="What to do">{fix}</Row>}
        <Row term="Why it matters">{why}</Row>
        <Row term="Rule">{statement}</Row>
        <Row term="At fault">{judges === 'tpp' ? 'the TPP' : 'the bank'}</Row>
        {waived === undefined ? null : <Row term="Waived">{waived}</Row>}
      </dl>
      {clauses.slice(0, 1).map((one) => (
        <Clause key={one.id} clause={one} />
      ))}
      {clauses.length < 2 ? null : (
        <details>
          <summary>{counted(clauses.length - 1, 'more clause')}</summary>
          {clauses.slice(1).map((one) => (
            <Clause key={one.id} clause={one} />
          ))}
        </details>
      )}
      {sources.length === 0 ? null : (
        <p class="soft">
          {sources.map(({ title, place }) => (place === null ? title : `${title}, ${place}`)).join('; ')}
        </p>
      )}
    </>
  );
}

function Clause({ clause: { section, text } }: { clause: Finding['clauses'][number] }) {
  return (
    <blockquote class="clause">
      {text} <cite>{section}</cite>
    </blockquote>
  );
}
