/** What of the interface was exercised; rules that never were come before those that passed. */
import type { Report } from '../../model.js';
import { RuleName } from '../links.js';
import { PARTY, Section, Wide } from '../parts.js';
import { Matrix } from '../pictures/matrix.js';
import { Table } from '../table.js';
import { counted, grouped, tallied } from '../text.js';
import { Seen } from './seen.js';

type Coverage = Report['coverage'];

export function CoverageSection({ coverage }: { coverage: Coverage }) {
  const called = coverage.operations.filter(({ calls }) => calls > 0).length;
  const idle = coverage.rules.filter(({ outcome }) => outcome === 'never-exercised').length;
  return (
    <Section
      id="coverage"
      title="Coverage"
      lead={`${called} of ${counted(coverage.operations.length, 'operation')} were called${
        coverage.unknownCalls === 0
          ? ''
          : `, and ${counted(coverage.unknownCalls, 'call')} named none that exists`
      }; ${counted(idle, 'rule')} had nothing to judge.`}
    >
      <h3>Operations and outcomes</h3>
      <Wide label="Picture of operations by outcome">
        <Matrix operations={coverage.operations} />
      </Wide>
      <OperationTable operations={coverage.operations} />
      <RuleCoverage rules={coverage.rules} />
      <Seen coverage={coverage} />
    </Section>
  );
}

function OperationTable({ operations }: { operations: Coverage['operations'] }) {
  return (
    <details>
      <summary>The same as a table, with paths and statuses</summary>
      <Table
        label="Operations by outcome"
        caption="Operations by outcome"
        rows={operations}
        rowProps={({ calls }) => ({ class: calls === 0 ? 'zero' : undefined })}
        columns={[
          [
            'Operation',
            ({ summary, method, path }) => (
              <>
                {summary}
                <br />
                <code>
                  {method} {path}
                </code>
              </>
            ),
            'head',
          ],
          ['Calls', ({ calls }) => grouped(calls), 'num'],
          ['Success', ({ outcomes }) => grouped(outcomes.success), 'num'],
          ['Refused', ({ outcomes }) => grouped(outcomes.refused), 'num'],
          ['Other 4xx', ({ outcomes }) => grouped(outcomes.clientError), 'num'],
          ['5xx', ({ outcomes }) => grouped(outcomes.serverError), 'num'],
          ['No answer', ({ outcomes }) => grouped(outcomes.none), 'num'],
          ['Statuses', ({ statuses }) => tallied(statuses) || '–'],
        ]}
      />
    </details>
  );
}

type Rule = Report['coverage']['rules'][number];

const OUTCOMES: readonly (readonly [
  outcome: Rule['outcome'],
  title: string,
  meaning: string,
  open: boolean,
])[] = [
  ['never-exercised', 'Never exercised', 'they applied to no call', true],
  ['not-observed', 'Not observed', 'the recording does not contain what they need', true],
  ['violated', 'Violated', 'at least once', true],
  ['waived', 'Waived', 'violated, but every finding is waived', false],
  ['complied', 'Complied', 'each time they were judged', false],
  ['off', 'Switched off', 'by configuration or profile', false],
];

function RuleCoverage({ rules }: { rules: readonly Rule[] }) {
  return (
    <>
      <h3>Rules</h3>
      {OUTCOMES.map(([outcome, title, meaning, open]) => {
        const of = rules.filter((rule) => rule.outcome === outcome);
        if (of.length === 0) return null;
        return (
          <details key={outcome} open={open}>
            <summary>
              {title}: {counted(of.length, 'rule')} <span class="soft">({meaning})</span>
            </summary>
            <RuleTable title={title} rules={of} judged={outcome !== 'never-exercised' && outcome !== 'off'} />
          </details>
        );
      })}
    </>
  );
}

function RuleTable(parts: { title: string; rules: readonly Rule[]; judged: boolean }) {
  const { title, rules, judged } = parts;
  return (
    <Table
      label={`Rules: ${title}`}
      caption={`Rules: ${title}`}
      isCaptionHidden
      look="rules"
      rows={rules}
      rowProps={({ severity, judges }) => ({ 'data-f': `${severity}.${judges}` })}
      columns={[
        ['Rule', RuleName, 'head'],
        ['Severity', ({ severity }) => severity],
        ['Judges', ({ judges }) => PARTY[judges]],
        judged && ['Complied', ({ complied }) => grouped(complied), 'num'],
        judged && ['Violated', ({ violated }) => grouped(violated), 'num'],
        judged && ['Not observed', ({ notObserved }) => grouped(notObserved), 'num'],
      ]}
    />
  );
}
