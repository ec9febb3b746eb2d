/** Each finding: what was sent, why it matters, what to do, and the clause. */
import type { Detail } from '../../admin/index.js';
import { counted } from '../format.js';
import { Row } from '../view.js';

type Finding = Detail['findings'][number];

export function Findings({ exchange: { findings, refusal } }: { exchange: Detail }) {
  if (findings.length === 0) return null;
  return (
    <section aria-label="Findings">
      {findings.map((one, i) => {
        const isSaid = i === 0 && refusal === null;
        return (
          <details class="finding" key={`${one.rule} ${one.place}`} open={isSaid}>
            <summary>
              <span class={`badge ${one.waived === undefined ? one.severity : 'waived'}`}>
                {one.severity}
              </span>{' '}
              <span class="mono">{one.rule}</span>
              {isSaid ? null : <span class="said-of">{one.sentence}</span>}
            </summary>
            <Finding finding={one} isSaid={isSaid} />
          </details>
        );
      })}
    </section>
  );
}

/** `isSaid`: the page has said above what to do. */
function Finding({ finding, isSaid }: { readonly finding: Finding; readonly isSaid: boolean }) {
  const { judges, waived, statement, why, fix, example, clauses, sources } = finding;
  return (
    <>
      <dl class="kv">
        {isSaid ? null : <Row term="What to do">{fix}</Row>}
        {example === '' ? null : (
          <Row term="For example">
            <code>{example}</code>
          </Row>
        )}
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
