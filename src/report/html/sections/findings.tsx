/** The findings, grouped by rule: what the rule says, why it matters, how to mend it, and where it was broken. */
import { isOwnRule } from '../../../rules/index.js';
import type { FindingGroup, Report } from '../../model.js';
import { RuleName, ruleAnchor, Whose } from '../links.js';
import { Name, Nothing, Omitted, Section, Severity, WebLink } from '../parts.js';
import { type Column, Table } from '../table.js';
import { counted, grouped, groupedOrNone, visible } from '../text.js';
import { OccurrenceDetails } from './occurrence.js';

export function FindingsSection({ report }: { report: Report }) {
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
          {report.findings
            .filter(({ rule }) => !isOwnRule(rule))
            .map((group) => (
              <Group key={group.rule} group={group} report={report} />
            ))}
          <OwnFindings report={report} />
        </>
      )}
    </Section>
  );
}

function OwnFindings({ report }: { report: Report }) {
  const own = report.findings.filter(({ rule }) => isOwnRule(rule));
  if (own.length === 0) return null;
  return (
    <>
      <h3>Findings of own rules</h3>
      {own.map((group) => (
        <Group key={group.rule} group={group} report={report} />
      ))}
    </>
  );
}

function Overview({ findings }: { findings: Report['findings'] }) {
  return (
    <Table
      label="Violated rules"
      caption="Violated rules"
      isCaptionHidden
      look="overview"
      rows={findings}
      rowProps={({ rule }) => ({ 'data-of': ruleAnchor(rule) })}
      columns={[
        [
          'Severity',
          ({ severity, waived, count }) => <Severity severity={severity} waived={waived === count} />,
        ],
        ['Rule', RuleName, 'head'],
        ['At fault', ({ judges }) => <Whose judges={judges} />],
        ...COUNTS,
      ]}
    />
  );
}

const COUNTS: readonly Column<{ readonly count: number; readonly waived: number }>[] = [
  ['Findings', ({ count }) => grouped(count), 'num'],
  ['Waived', ({ waived }) => groupedOrNone(waived), 'num'],
];

function Group({ group, report }: { group: FindingGroup; report: Report }) {
  const id = ruleAnchor(group.rule);
  return (
    <article class="finding" id={id} aria-labelledby={`${id}-title`} data-g>
      <header>
        <p class="tags">
          <Severity severity={group.severity} waived={group.waived === group.count} />
          <span>
            at fault: <Whose judges={group.judges} />
          </span>
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
          />
        ))}
      </div>
      <Omitted count={group.omitted} what="finding of this rule" many="findings of this rule" />
    </article>
  );
}

function Places({ group: { operations, rule } }: { group: FindingGroup }) {
  return (
    <Table
      label={`Places of ${rule}`}
      caption="By operation and place"
      rows={operations}
      columns={[
        ['Operation', ({ operation }) => operation ?? 'no known operation', 'head'],
        ['Place', ({ place }) => visible(place)],
        ...COUNTS,
      ]}
    />
  );
}

function Clauses({ group: { clauses, sources } }: { group: FindingGroup }) {
  return (
    <>
      {clauses.map(({ id, section, text, link }) => (
        <figure class="clause" key={id}>
          <blockquote>
            <p>{text}</p>
          </blockquote>
          <figcaption>
            Specification, <WebLink to={link}>{section}</WebLink> <Name>{id}</Name>
          </figcaption>
        </figure>
      ))}
      {sources.length === 0 ? null : (
        <p class="sources">
          {clauses.length === 0 ? 'Source: ' : 'See also: '}
          {sources.map(({ tag, title, place, link }, i) => (
            <span key={`${tag} ${place}`}>
              {i > 0 ? '; ' : ''}
              <WebLink to={link}>{title}</WebLink>
              {place === null ? '' : `, ${place}`}
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}

const EXAMPLES = [
  ['complies', '✓ ', 'Complies'],
  ['violates', '✕ ', 'Violates'],
] as const;

function Examples({ examples }: { examples: FindingGroup['examples'] }) {
  return (
    <dl class="examples">
      {EXAMPLES.map(([name, sign, word]) => (
        <div key={name}>
          <dt>
            <span aria-hidden="true">{sign}</span>
            {word}
          </dt>
          <dd>
            <code>{visible(examples[name])}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
