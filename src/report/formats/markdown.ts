/** The report as Markdown for a comment on a pull request: at most 60 lines. */
import { isOwnRule } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { FindingGroup, Outcome, Party, Report } from '../model.js';
import {
  availabilityLines,
  bankLines,
  callLine,
  isBank,
  makerLines,
  neverUsedLines,
  openGroups,
  ownRuleLines,
  placeLine,
  profilesText,
  tppText,
  verdictsOfSeveral,
  waiverLines,
  whoseOf,
} from './lines.js';

const MOST_LINES = 60;
/** Each takes two lines. */
const MOST_GROUPS = 15;

const WORDS: Readonly<Record<Outcome, string>> = {
  'must-violated': '❌ must violated',
  'should-violated': '⚠️ should violated',
  complied: '✅ complied',
  'not-observed': '⚪ not observed',
  'not-applicable': '⚪ not applicable',
};

export function renderMarkdown(report: Report): string {
  const lines = [
    `## ${plain(report.head.title)}`,
    '',
    ...headLines(report),
    '',
    '| | verdict | rules violated (must, should, note) | waived | complied | not observed | never exercised |',
    '|---|---|---|---|---|---|---|',
    ...tppLines(report),
    answererLine(report),
    ...baselineLines(report),
    ...findingLines(report),
    '',
    ...footLines(report),
  ];
  return `${lines.slice(0, MOST_LINES).join('\n')}\n`;
}

function headLines({ head, verdict }: Report): string[] {
  const { recording, profile } = head;
  const span = recording.from === null ? '' : `, ${recording.from} to ${recording.to}`;
  return [
    `**${plain(verdict.sentence)}**`,
    '',
    `${code(recording.name)}: ${counted(recording.exchanges, 'exchange')}${span}, judged under profile ${profilesText(head)}${profile.rejudged ? ' (again)' : ''}.`,
    ...bankLines(head).flatMap((line) => ['', `Bank profile: ${plain(line)}.`]),
    ...(makerLines(head).length === 0 ? [] : ['', `${plain(makerLines(head).join('. '))}.`]),
    // In one line, so that all of them find room.
    ...(head.waivers.length === 0 ? [] : ['', `Waived: ${plain(waiverLines(head).join('; '))}.`]),
  ];
}

const MOST_TPPS = 6;

function tppLines(report: Report): string[] {
  const each = verdictsOfSeveral(report);
  const more = each.length - MOST_TPPS;
  return [
    ...each.slice(0, MOST_TPPS).map((one) => partyLine(plain(tppText(one)), one)),
    ...(more > 0 ? [`| and ${counted(more, 'more TPP')} | | | | | | |`] : []),
    partyLine(each.length > 0 ? 'All TPPs' : 'TPP', report.verdict.tpp),
  ];
}

function answererLine(report: Report): string {
  const { aspsp, answerer } = report.verdict;
  const name = whoseOf(report).aspsp;
  const line = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return partyLine(line, aspsp, isBank(answerer) ? undefined : '⚪ no bank answered');
}

function partyLine(name: string, { outcome, rules }: Party, word = WORDS[outcome]): string {
  const violated = `${rules.mustViolated}, ${rules.shouldViolated}, ${rules.noteViolated}`;
  const rest = [rules.waived, rules.complied, rules.notObserved, rules.notApplicable].join(' | ');
  return `| ${name} | ${word} | ${violated} | ${rest} |`;
}

function baselineLines({ baseline }: Report): string[] {
  if (baseline === null) return [];
  const { name, unknown } = baseline;
  const untold = unknown.length === 0 ? '' : `, ${unknown.length} not tested this time`;
  return [
    '',
    `Against ${code(name)}: **${baseline.new.length} new**, ${baseline.open.length} still open, ${baseline.fixed.length} fixed${untold}.`,
  ];
}

function findingLines(report: Report): string[] {
  const groups = openGroups(report);
  if (groups.length === 0) return ['', 'No findings.'];
  const shown = groups.slice(0, MOST_GROUPS);
  const own = shown.filter(({ rule }) => isOwnRule(rule));
  const more = groups.length - shown.length;
  return [
    '',
    '### Findings',
    '',
    ...shown.filter(({ rule }) => !isOwnRule(rule)).flatMap((group) => groupLines(group, report)),
    ...(own.length === 0
      ? []
      : ['', '### Findings of own rules', '', ...own.flatMap((group) => groupLines(group, report))]),
    ...(more === 0 ? [] : [`- and ${counted(more, 'more rule')}`]),
  ];
}

function groupLines(group: FindingGroup, report: Report): string[] {
  const { severity, rule, statement, judges, count, waived, occurrences } = group;
  const open = count - waived;
  const first = occurrences.find((occurrence) => occurrence.waived === null);
  const head = `- **${severity}** ${code(rule)} (${whoseOf(report)[judges]}, ${counted(open, 'finding')}): ${plain(statement)}.`;
  if (first === undefined) return [head];
  return [head, `  ${code(first.exchange)} ${code(callLine(first))}, at ${code(placeLine(first))}`];
}

function footLines(report: Report): string[] {
  const { head, coverage, evidence, readings, findings, gaps, notTested } = report;
  const [unused, seen] = [neverUsedLines(report), availabilityLines(report.availability)];
  const called = coverage.operations.filter(({ calls }) => calls > 0).length;
  const waived = findings.reduce((sum, group) => sum + group.waived, 0);
  const observed = readings.filter((reading) => reading.observed.length > 0).length;
  return [
    `Coverage: ${called} of ${coverage.operations.length} operations, ${coverage.scenarios.filter(({ count }) => count > 0).length} of ${coverage.scenarios.length} SCA scenarios; ${counted(observed, 'open point of the specification was', 'open points of the specification were')} observed.`,
    `Before production: ${counted(gaps.length, 'gap')} to close; not tested: ${counted(notTested.length, 'point')}.`,
    ...(unused.length === 0 ? [] : [`Asked for and never used: ${plain(unused.join('; '))}.`]),
    ...(seen.length === 0 ? [] : [`Availability: ${plain(seen.join('; '))}.`]),
    ...(waived === 0 ? [] : [`Waived: ${counted(waived, 'finding')}.`]),
    ...head.notes.slice(0, 4).map((note) => `Note: ${plain(note)}`),
    `Evidence: ${plain(evidence.sentence)} ${evidence.head === null ? '' : `Head ${code(evidence.head)}.`}`.trim(),
    ...(head.ownRules === undefined ? [] : [`Own rules: ${plain(ownRuleLines(head).join('; '))}.`]),
    `Sandgate ${plain(head.gateway.version)}, ${head.catalogue.rules} rules, catalogue ${code(head.catalogue.digest.slice(0, 16))}.`,
  ];
}

const LONGEST = 160;

/** One line of code, cut; backticks in it do not end it. */
export function code(text: string): string {
  const line = oneLine(text);
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  if (short === '') return '``';
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space keeps a backtick at the edge apart from the fence; one at each edge is taken away again.
  const space = longest > 0 || /^ .* $/.test(short) ? ' ' : '';
  return `${fence}${space}${short}${space}${fence}`;
}

/** Several lines of code; the fence is longer than any run of backticks in it. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A carriage return alone would end the line for some, and with it the fence.
  return `${fence}\n${text.replaceAll(/\r\n?/g, '\n').replaceAll(INVISIBLE, '\ufffd')}\n${fence}`;
}

/** Controls, and characters that turn the direction of what follows. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '\ufffd').trim();

/** Text of ours or of the user's own settings, between words: markup in it is shown, not followed. */
export function plain(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_[\]<>|~#@!]/g, (sign) => `\\${sign}`)
    .replaceAll('\\@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}
