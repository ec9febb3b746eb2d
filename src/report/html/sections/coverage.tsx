/** Coverage of the interface. Rules never exercised come before those that passed. */
import { plural } from '../../../spec/index.js';
import type { Report } from '../../model.js';
import { RuleName, Whose } from '../links.js';
import { Section, Wide } from '../parts.js';
import { Matrix } from '../pictures/matrix.js';
import { Table } from '../table.js';
import { counted, grouped, tallied, visible } from '../text.js';
import { ExercisedTables } from './exercised.js';

type Coverage = Report['coverage'];

export function CoverageSection({ report }: { report: Report }) {
  const { coverage } = report;
  const called = coverage.operations.filter(({ calls }) => calls > 0).length;
  const { unknownCalls: unknown, pages } = coverage;
  const idle = coverage.rules.filter(({ outcome }) => outcome === 'never-exercised').length;
  return (
    <Section
      id="coverage"
      title="Coverage"
      lead={`${called} of ${counted(coverage.operations.length, 'operation')} were called${unknown === 0 ? '' : `, and ${counted(unknown, 'call')} named none that exists`}; ${
        pages === 0
          ? ''
          : `${counted(pages, 'more page')} of the bank ${plural(pages, 'was', 'were')} asked for; `
      }${counted(idle, 'rule')} had nothing to judge.`}
    >
      <ExercisedTables exercised={report.exercised} access={report.access} />
      <h3>Calls and statuses</h3>
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
        ['Judges', ({ judges }) => <Whose judges={judges} />],
        judged && ['Complied', ({ complied }) => grouped(complied), 'num'],
        judged && ['Violated', ({ violated }) => grouped(violated), 'num'],
        judged && ['Not observed', ({ notObserved }) => grouped(notObserved), 'num'],
      ]}
    />
  );
}

type Entry = { readonly name: string; readonly meaning: string; readonly count: number };

function Seen({ coverage }: { coverage: Coverage }) {
  const { authorisation, links } = coverage;
  const ways = [
    ['Implicit authorisation, with the creation', authorisation.implicit],
    ['Explicit authorisation, started apart', authorisation.explicit],
    ['scaOAuth link straight to the authorize page', links.direct],
    ['scaOAuth link to the discovery document', links.discovery],
  ] as const;
  const lists = listsOf(coverage);
  return (
    <>
      <h3>Ways through the interface</h3>
      <table class="narrow">
        <caption class="hidden">How authorisations were begun</caption>
        <tbody>
          {ways.map(([way, count]) => (
            <tr key={way}>
              <th scope="row">{way}</th>
              <td class="num">{grouped(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Statuses, scenarios and sandbox ids</h3>
      {lists.map(([title, entries]) => (
        <SeenList key={title} title={title} entries={entries} />
      ))}
    </>
  );
}

const KINDS = {
  consent: 'a consent',
  payment: 'a payment',
  authorisation: 'an authorisation',
  code: 'a code',
};
const KIND_ENTRIES = Object.entries(KINDS);

function listsOf({
  statuses,
  scenarios,
  sandboxIds,
}: Coverage): readonly (readonly [string, readonly Entry[]])[] {
  return [
    ...KIND_ENTRIES.map(
      ([kind, called]) =>
        [
          `Statuses of ${called}`,
          statuses
            .filter((one) => one.kind === kind)
            .map(({ status, count }) => ({ name: status, meaning: '', count })),
        ] as const,
    ),
    ['SCA scenarios', scenarios.map(({ scenario, ...rest }) => ({ name: scenario, ...rest }))] as const,
    ...KIND_ENTRIES.map(
      ([kind, called]) =>
        [
          `Sandbox ids of ${called}`,
          sandboxIds
            .filter((one) => one.kind === kind)
            .map(({ id, meaning, count }) => ({ name: id, meaning, count })),
        ] as const,
    ),
  ].filter(([, entries]) => entries.length > 0);
}

function SeenList({ title, entries }: { title: string; entries: readonly Entry[] }) {
  const seen = entries.filter(({ count }) => count > 0).length;
  return (
    <details>
      <summary>
        {title}: {seen} of {entries.length} seen
      </summary>
      <ul class="seen">
        {entries.map(({ name, meaning, count }) => (
          <li key={name} class={count === 0 ? 'zero' : undefined}>
            <code>{visible(name)}</code>
            {meaning === '' ? null : <span class="meaning">{visible(meaning)}</span>}
            <span class="num">{count === 0 ? 'never' : counted(count, 'time')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
