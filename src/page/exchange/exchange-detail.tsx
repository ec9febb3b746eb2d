/** One call: what was wrong with it, what to do, and all that was recorded. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';
import { address, go, hrefWith } from '../address.js';
import { useGet } from '../api.js';
import { counted, shortId } from '../format.js';
import { colourOf, filterOf } from '../state/journeys.js';
import { Row } from '../view.js';
import { Actions } from './actions.js';
import { CertificateCard, Facts, SealCard } from './facts.js';
import { Message } from './message.js';

function Said({ exchange: { sentence, refusal, remedy, findings } }: { exchange: Detail }) {
  const worst = refusal === null ? findings[0] : undefined;
  const advice = worst?.fix ?? remedy;
  const title = useRef<HTMLHeadingElement>(null);
  // From the keyboard the actions are next.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <h1 ref={title} tabIndex={-1}>
        {worst?.sentence ?? sentence}
      </h1>
      {advice === null ? null : <p class="advice">{advice}</p>}
    </>
  );
}

function ExchangeDetail({ id }: { id: string }) {
  const { value, problem } = useGet<Detail>(`/api/exchanges/${encodeURIComponent(id)}`);
  if (problem !== null)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  if (value === undefined) return <p class="soft end">Loading…</p>;
  return (
    <div class="detail" key={value.id}>
      <Neighbours exchange={value} />
      <Said exchange={value} />
      <Actions exchange={value} />
      <Findings exchange={value} />
      <div class="sides">
        <Message exchange={value} side="request" />
        <Message exchange={value} side="answer" />
      </div>
      <Facts exchange={value} />
      <CertificateCard exchange={value} />
      <SealCard exchange={value} />
      <Verdicts verdicts={value.verdicts} />
    </div>
  );
}

export function ExchangePage() {
  const { open } = address.value;
  return (
    <article class="own">
      <p class="pane-head">
        <a href={hrefWith({ view: 'calls' })}>Back to list</a>
      </p>
      <ExchangeDetail id={open ?? ''} />
    </article>
  );
}

export function ExchangePane({ id }: { id: string }) {
  return (
    <section class="pane" aria-label="The call that is open">
      <div class="pane-head">
        <a href={hrefWith({ view: 'exchange', open: id })}>Open full page</a>
        <button type="button" class="icon" aria-label="Close" onClick={() => go({ open: null })}>
          ×
        </button>
      </div>
      <ExchangeDetail id={id} />
    </section>
  );
}

function Neighbours({ exchange: { previous, next, resources } }: { exchange: Detail }) {
  return (
    <p class="neighbours">
      {previous === null ? null : <a href={hrefWith({ open: previous })}>← Previous</a>}
      {next === null ? null : <a href={hrefWith({ open: next })}>Next →</a>}
      {resources.map(({ kind, id }) => (
        <a
          key={id}
          style={colourOf(id)}
          href={hrefWith({ view: 'calls', q: filterOf({ resource: id }) ?? '' })}
          title={id}
        >
          All of {kind} {shortId(id)}
        </a>
      ))}
    </p>
  );
}

const SHOWN = [
  ['complied', 'complied'],
  ['not-observed', 'not observed'],
] as const;

function Verdicts({ verdicts }: Pick<Detail, 'verdicts'>) {
  const all = Object.entries(verdicts);
  return (
    <>
      {SHOWN.map(([wanted, word]) => {
        const rules = all.filter(([, verdict]) => verdict === wanted).map(([rule]) => rule);
        return rules.length === 0 ? null : (
          <details key={wanted} class="card">
            <summary>
              {counted(rules.length, 'rule')} {word}
            </summary>
            <ul class="verdicts mono">
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}

type Finding = Detail['findings'][number];

function Findings({ exchange: { findings, refusal } }: { exchange: Detail }) {
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
