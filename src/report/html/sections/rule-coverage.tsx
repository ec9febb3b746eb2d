/** Every rule of the catalogue by outcome. */
import type { Report } from '../../model.js';
import type { Links } from '../links.js';
import { PARTY, RuleName } from '../parts.js';
import { Table } from '../table.js';
import { counted, grouped } from '../text.js';

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

export function RuleCoverage({ rules, links }: { rules: readonly Rule[]; links: Links }) {
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
            <RuleTable
              title={title}
              rules={of}
              links={links}
              judged={outcome !== 'never-exercised' && outcome !== 'off'}
            />
          </details>
        );
      })}
    </>
  );
}

function RuleTable(parts: { title: string; rules: readonly Rule[]; links: Links; judged: boolean }) {
  const { title, rules, links, judged } = parts;
  return (
    <Table
      label={`Rules: ${title}`}
      caption={`Rules: ${title}`}
      isCaptionHidden
      look="rules"
      rows={rules}
      rowProps={({ severity, judges }) => ({ 'data-f': `${severity}.${judges}` })}
      columns={[
        [
          'Rule',
          ({ rule, statement }) => <RuleName rule={rule} statement={statement} href={links.rule(rule)} />,
          'head',
        ],
        ['Severity', ({ severity }) => severity],
        ['Judges', ({ judges }) => PARTY[judges]],
        judged && ['Complied', ({ complied }) => grouped(complied), 'num'],
        judged && ['Violated', ({ violated }) => grouped(violated), 'num'],
        judged && ['Not observed', ({ notObserved }) => grouped(notObserved), 'num'],
      ]}
    />
  );
}
