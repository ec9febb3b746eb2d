/** Every rule of the catalogue by outcome. */
import type { Report } from '../../model.js';
import type { Links } from '../links.js';
import { MaybeLink, Name, PARTY, Wide } from '../parts.js';
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

function RuleTable({
  title,
  rules,
  links,
  judged,
}: {
  title: string;
  rules: readonly Rule[];
  links: Links;
  judged: boolean;
}) {
  return (
    <Wide label={`Rules: ${title}`}>
      <table class="rules">
        <caption class="hidden">Rules: {title}</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Severity</th>
            <th scope="col">Judges</th>
            {judged ? (
              <>
                <th scope="col" class="num">
                  Complied
                </th>
                <th scope="col" class="num">
                  Violated
                </th>
                <th scope="col" class="num">
                  Not observed
                </th>
              </>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rules.map(({ rule, statement, severity, judges, complied, violated, notObserved }) => (
            <tr key={rule} data-f={`${severity}.${judges}`}>
              <th scope="row">
                <MaybeLink href={links.rule(rule)}>{statement}</MaybeLink>
                <br />
                <Name>{rule}</Name>
              </th>
              <td>{severity}</td>
              <td>{PARTY[judges]}</td>
              {judged ? (
                <>
                  <td class="num">{grouped(complied)}</td>
                  <td class="num">{grouped(violated)}</td>
                  <td class="num">{grouped(notObserved)}</td>
                </>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
