/** The findings, grouped by rule: what the rule says, why it matters, how to mend it, and where it was broken. */
import type { FindingGroup, Report } from '../../model.js';
import { type Links, ruleAnchor } from '../links.js';
import { Name, Nothing, Omitted, PARTY, Section, Severity, Wide } from '../parts.js';
import { counted, grouped, visible } from '../text.js';
import { Clauses, Examples } from './clauses.js';
import { OccurrenceDetails } from './occurrence.js';

type Parts = { readonly report: Report; readonly links: Links };

export function FindingsSection({ report, links }: Parts) {
  const total = report.findings.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      id="findings"
      title="Findings"
      lead={
        total === 0
          ? undefined
          : `${counted(total, 'finding')} of ${counted(report.findings.length, 'rule')}, most severe first.`
      }
    >
      {total === 0 ? (
        <Nothing>No rule that was observed was violated.</Nothing>
      ) : (
        <>
          <Overview findings={report.findings} />
          <p class="folds">
            <button type="button" data-fold="open" hidden>
              Open all findings
            </button>
            <button type="button" data-fold="close" hidden>
              Close all findings
            </button>
          </p>
          {report.findings.map((group) => (
            <Group key={group.rule} group={group} report={report} links={links} />
          ))}
        </>
      )}
    </Section>
  );
}

function Overview({ findings }: { findings: Report['findings'] }) {
  return (
    <Wide label="Violated rules">
      <table class="overview">
        <caption class="hidden">Violated rules</caption>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Rule</th>
            <th scope="col">At fault</th>
            <th scope="col" class="num">
              Findings
            </th>
            <th scope="col" class="num">
              Waived
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ rule, severity, judges, statement, count, waived }) => (
            <tr key={rule} data-of={ruleAnchor(rule)}>
              <td>
                <Severity severity={severity} waived={waived === count} />
              </td>
              <th scope="row">
                <a href={`#${ruleAnchor(rule)}`}>{statement}</a>
                <br />
                <Name>{rule}</Name>
              </th>
              <td>{PARTY[judges]}</td>
              <td class="num">{grouped(count)}</td>
              <td class="num">{waived === 0 ? '–' : grouped(waived)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Group({ group, report, links }: Parts & { group: FindingGroup }) {
  const id = ruleAnchor(group.rule);
  return (
    <article class="finding" id={id} aria-labelledby={`${id}-title`} data-g>
      <header>
        <p class="tags">
          <Severity severity={group.severity} waived={group.waived === group.count} />
          <span>at fault: {PARTY[group.judges]}</span>
          <span>{counted(group.count, 'finding')}</span>
          <Name>{group.rule}</Name>
        </p>
        <h3 id={`${id}-title`}>{group.statement}</h3>
      </header>
      <Clauses group={group} />
      <div class="advice">
        <div>
          <h4>Why it matters</h4>
          <p>{group.why}</p>
        </div>
        <div>
          <h4>How to fix it</h4>
          <p>{group.fix}</p>
        </div>
      </div>
      <Examples examples={group.examples} />
      <h4>Where it was found</h4>
      {group.operations.length > 1 ? <Places group={group} /> : null}
      <div class="occurrences">
        {group.occurrences.map((occurrence) => (
          <OccurrenceDetails
            key={occurrence.id}
            occurrence={occurrence}
            group={group}
            cited={report.exchanges[occurrence.exchange]}
            links={links}
          />
        ))}
      </div>
      <Omitted count={group.omitted} what="findings of this rule" />
    </article>
  );
}

function Places({ group: { operations, rule } }: { group: FindingGroup }) {
  return (
    <Wide label={`Places of ${rule}`}>
      <table>
        <caption>By operation and place</caption>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Place</th>
            <th scope="col" class="num">
              Findings
            </th>
            <th scope="col" class="num">
              Waived
            </th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ operation, place, count, waived }) => (
            <tr key={`${operation} ${place}`}>
              <th scope="row">{operation ?? 'no known operation'}</th>
              <td>{visible(place)}</td>
              <td class="num">{grouped(count)}</td>
              <td class="num">{waived === 0 ? '–' : grouped(waived)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
