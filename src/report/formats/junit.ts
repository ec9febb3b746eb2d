/** The report as JUnit XML, as Jenkins, GitLab and GitHub read it: one test case a rule. */
import { counted } from '../../spec/index.js';
import type { FindingGroup, Report, TppVerdict } from '../model.js';
import {
  bankLines,
  basis,
  callLine,
  ownRuleLines,
  placeLine,
  profilesText,
  tppText,
  verdictsOfSeveral,
  waiverLines,
  whoseOf,
} from './lines.js';

type RuleRow = Report['coverage']['rules'][number];

interface Case {
  readonly row: RuleRow;
  readonly group: FindingGroup | undefined;
  readonly result: 'failure' | 'skipped' | 'passed';
}

/** Suites by who is judged and the family of rules; violated musts and shoulds fail, notes are told but pass. */
export function renderJunit(report: Report): string {
  const groups = new Map(report.findings.map((group) => [group.rule, group]));
  const suites = new Map<string, Case[]>();
  for (const one of casesOf(report, groups)) {
    const name = `${whoseOf(report)[one.row.judges]}: ${one.row.rule.split('/', 1)[0]}`;
    suites.set(name, [...(suites.get(name) ?? []), one]);
  }
  const each = verdictsOfSeveral(report);
  const all = [...[...suites.values()].flat(), ...each.map((one) => ({ result: resultOfTpp(one) }))];
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlAttribute(report.head.title)}" ${totals(all)} time="${secondsOf(report)}">`,
    ...[...suites]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, cases], i) => suiteLines(name, cases, cases.flatMap(caseLines), i, report)),
    ...(each.length === 0 ? [] : tppSuite(each, suites.size, report)),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Rules in alphabetical order; those that are off are no cases. A rule that is no more still failed. */
function casesOf({ coverage }: Report, groups: ReadonlyMap<string, FindingGroup>): Case[] {
  const known = new Set(coverage.rules.map(({ rule }) => rule));
  const gone = [...groups.values()].filter(({ rule }) => !known.has(rule)).map(goneRow);
  return [...coverage.rules, ...gone]
    .filter(({ outcome }) => outcome !== 'off')
    .sort((a, b) => (a.rule < b.rule ? -1 : 1))
    .map((row) => {
      const group = groups.get(row.rule);
      return { row, group, result: resultOf(row, group) };
    });
}

function goneRow({ rule, statement, judges, severity, count, waived }: FindingGroup): RuleRow {
  const outcome = count > waived ? 'violated' : 'waived';
  return { rule, statement, judges, severity, outcome, complied: 0, violated: count, notObserved: 0 };
}

function resultOf({ outcome }: RuleRow, group: FindingGroup | undefined): Case['result'] {
  if (outcome === 'violated') return group?.severity === 'note' ? 'passed' : 'failure';
  return outcome === 'complied' ? 'passed' : 'skipped';
}

type Result = Pick<Case, 'result'>;

function totals(cases: readonly Result[]): string {
  const count = (result: Case['result']) => cases.filter((one) => one.result === result).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`;
}

function secondsOf({ head: { recording } }: Report): string {
  const { from, to } = recording;
  return from === null || to === null ? '0' : ((Date.parse(to) - Date.parse(from)) / 1000).toFixed(3);
}

function resultOfTpp({ outcome }: TppVerdict): Case['result'] {
  if (outcome === 'complied') return 'passed';
  return outcome === 'must-violated' || outcome === 'should-violated' ? 'failure' : 'skipped';
}

/** A case for each TPP, where there are several. */
function tppSuite(each: readonly TppVerdict[], id: number, report: Report): string[] {
  const cases = each.map((one) => ({ result: resultOfTpp(one) }));
  const lines = each.flatMap((one) => {
    const head = `    <testcase name="${xmlAttribute(tppText(one))}" classname="sandgate.tpp.verdict" time="0"`;
    const told = { failure: 'failure', skipped: 'skipped', passed: 'system-out' }[resultOfTpp(one)];
    const inside =
      told === 'system-out'
        ? `<system-out>${xmlText(one.sentence)}</system-out>`
        : `<${told} message="${xmlAttribute(one.sentence)}"${told === 'failure' ? ` type="${one.outcome}"` : ''}/>`;
    return [`${head}>`, `      ${inside}`, '    </testcase>'];
  });
  return suiteLines('TPP: verdict for each', cases, lines, id, report);
}

function suiteLines(
  name: string,
  cases: readonly Result[],
  lines: readonly string[],
  id: number,
  { head, evidence, verdict }: Report,
): string[] {
  const timestamp = (head.recording.from ?? '1970-01-01T00:00:00.000Z').slice(0, 19);
  const properties: (readonly [string, string])[] = [
    ['recording', head.recording.name],
    ['profile', profilesText(head)],
    ...bankLines(head).map((line) => ['bankProfile', line] as const),
    ...waiverLines(head).map((line) => ['waiver', line] as const),
    ['catalogue', head.catalogue.digest],
    ...ownRuleLines(head).map((line) => ['own-rules', line] as const),
    ['verdict', verdict.sentence],
    ['evidence', evidence.sentence],
    ...(head.clock === null ? [] : [['clock', head.clock.sentence] as const]),
  ];
  return [
    `  <testsuite name="${xmlAttribute(name)}" id="${id}" ${totals(cases)} time="0" timestamp="${timestamp}" hostname="localhost" package="sandgate">`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${key}" value="${xmlAttribute(value)}"/>`),
    '    </properties>',
    ...lines,
    '  </testsuite>',
  ];
}

function caseLines({ row, group, result }: Case): string[] {
  const [family = ''] = row.rule.split('/', 1);
  const head = `    <testcase name="${xmlAttribute(`${row.rule}: ${row.statement}`)}" classname="sandgate.${row.judges}.${xmlAttribute(family)}" time="0"`;
  const inside = insideOf(row, group, result);
  return inside === null ? [`${head}/>`] : [`${head}>`, `      ${inside}`, '    </testcase>'];
}

function insideOf(row: RuleRow, group: FindingGroup | undefined, result: Case['result']): string | null {
  if (result === 'skipped') return `<skipped message="${xmlAttribute(skipReason(row, group))}"/>`;
  if (group === undefined) return null;
  const text = xmlText(failureText(group));
  if (result === 'passed') return `<system-out>${text}</system-out>`;
  const open = group.count - group.waived;
  const first = group.occurrences.find(({ waived }) => waived === null);
  const where = first === undefined ? '' : `, first at ${first.place}`;
  const message = `${counted(open, 'finding')}${where}. ${group.fix}`;
  return `<failure message="${xmlAttribute(message)}" type="${group.severity}">${text}</failure>`;
}

function skipReason({ outcome }: RuleRow, group: FindingGroup | undefined): string {
  if (outcome === 'never-exercised') return 'Never exercised: the rule applied to no call.';
  if (outcome !== 'waived') return 'Not observed: the recording does not contain what the rule needs.';
  const reasons = new Set(group?.occurrences.map(({ waived }) => waived));
  return `Waived: ${[...reasons].join('; ')}`;
}

function failureText(group: FindingGroup): string {
  const lines = [
    `${group.severity.toUpperCase()} ${group.rule}: ${group.statement}.`,
    `To do: ${group.fix}`,
    `Why: ${group.why}`,
    `Source: ${basis(group)}`,
    ...group.occurrences.flatMap((occurrence) => [
      '',
      `${occurrence.at} ${callLine(occurrence)}`,
      `  exchange ${occurrence.exchange}${occurrence.requestId === null ? '' : `, X-Request-ID ${occurrence.requestId}`}`,
      `  ${placeLine(occurrence)}`,
      ...(occurrence.waived === null ? [] : [`  waived: ${occurrence.waived}`]),
    ]),
  ];
  if (group.omitted > 0) lines.push('', `and ${group.omitted} more.`);
  return lines.join('\n');
}

/** Characters that XML 1.0 has no form for, and lone halves of surrogate pairs. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
}

export function xmlAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"'\t\n\r]/g, (sign) => ENTITIES[sign] ?? sign);
}
