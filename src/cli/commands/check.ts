/** `sandgate check`: judges a HAR or cassette file, without a server. */
import { Command } from 'commander';
import {
  askedBank,
  type CheckResult,
  checkRecording,
  type Occurrence,
  type RuleFindings,
} from '../../app/check/index.js';
import { CLAUSES, counted, dateAt, profileText } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { withInput } from '../input-file.js';
import { addOptions, BANK_PROFILE, type FlagsOf, REJUDGE } from '../options.js';
import { printJson, printLine } from '../output.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { sourceOf } from '../rule-text.js';
import { renderTable } from '../table.js';

const MOST_SHOWN = 10;

const COUNT_COLUMNS = [
  'severity',
  { right: 'complied' },
  { right: 'violated' },
  { right: 'not observed' },
] as const;

const OPTIONS = [
  [
    '--profile <PROFILE>',
    'Profile that sets the severity of each rule.',
    { choices: ['sandbox', 'production'] },
  ],
  [
    '--fail-on <SEVERITY>',
    'Lowest severity of a finding that makes the exit status 1.',
    { choices: ['must', 'should'], fallback: 'must' },
  ],
  ['--host <HOST>', 'Judge only calls to this host (HOST or HOST:PORT).'],
  ['--segment <NAME>', 'Fixed path segment, if the file does not say it.'],
  BANK_PROFILE,
  REJUDGE,
  ['--config <FILE>', 'Settings in JSON (rules, waivers, the daily window).'],
  ...OWN_RULES,
  ['--json', 'Print everything that was found as JSON.'],
] as const;

export default function check(context: CliContext): Command {
  return addOptions(
    new Command('check')
      .description('Judge recorded traffic (a HAR or cassette file) by every rule, without a server.')
      .argument('<FILE>', 'HAR or cassette file; - reads standard input.'),
    OPTIONS,
  ).action(async (file: string, flags: FlagsOf<typeof OPTIONS>) => {
    const { profile, segment, bankProfile, config: configFile, host, failOn } = flags;
    const loaded = await loadJudging(
      {
        flags: { profile, segment, bankProfile, ...ownRulesFlags(flags) },
        env: context.env,
        file: configFile,
      },
      context,
    );
    const name = file === '-' ? 'Standard input' : file;
    const today = dateAt(context.clock());
    const asked = askedBank(loaded, flags.rejudge);
    const options = { name, failOn, today, host, asked };
    const result = await withInput(file, context, (bytes) => checkRecording(bytes, loaded.config, options));
    if (flags.json === true) printJson(context.stdout, asJson(name, result));
    else print(name, result, flags.failOn, context);
    if (result.failed) context.exitWith(1);
  });
}

function print(name: string, result: CheckResult, failOn: string, { stdout }: CliContext): void {
  const say = (text = '') => printLine(stdout, text);
  const kind = result.format === 'har' ? 'HAR' : 'cassette';
  say(
    `${name}: ${counted(result.exchanges, 'call')} (${kind}), judged under profile ${result.profile}${bankOf(result)}.`,
  );
  for (const text of [...result.remarks, ...result.advice]) say(text);
  const skipped = Object.entries(result.skipped).map(([reason, n]) => `${n} ${reason}`);
  if (skipped.length > 0) say(`Skipped: ${skipped.join(', ')}.`);
  for (const { name: rules, digest } of result.ownRules) say(`Own rules: ${rules} (SHA-256 ${digest}).`);
  let isOwn = false;
  for (const group of result.findings) {
    if (group.rule.own !== undefined && !isOwn) say('\nFindings of own rules:');
    isOwn = group.rule.own !== undefined;
    printGroup(group, say);
  }
  say();
  const rows = Object.entries(result.counts).map(([severity, counts]) => [
    severity,
    ...[counts.complied, counts.violated, counts['not-observed']].map(String),
  ]);
  stdout.write(renderTable(COUNT_COLUMNS, rows));
  if (result.notObserved.length > 0) {
    say();
    say(
      `Not observed, because the file does not hold what they need: ${inGroups(result.notObserved).join(', ')}.`,
    );
  }
  say();
  const why = result.isTested ? '' : ': nothing was judged';
  say(result.failed ? `Failed (--fail-on ${failOn})${why}.` : `Passed (--fail-on ${failOn}).`);
}

const bankOf = ({ bankProfile }: CheckResult): string =>
  bankProfile === undefined ? '' : ` and the bank profile ${profileText(bankProfile)}`;

function printGroup({ rule, severity, occurrences }: RuleFindings, say: (text?: string) => void): void {
  say();
  const whose = rule.judges === 'tpp' ? 'the TPP’s' : 'the bank’s';
  say(`${severity.toUpperCase()}  ${rule.id}  ${counted(occurrences.length, 'finding')}, ${whose}`);
  say(`  ${rule.statement}.`);
  say(`  To do: ${rule.fix}`);
  say(`  Source: ${sourcesOf(rule).join('; ')}`);
  for (const occurrence of occurrences.slice(0, MOST_SHOWN)) printOccurrence(occurrence, say);
  const more = occurrences.length - MOST_SHOWN;
  if (more > 0) say(`    and ${more} more (--json lists them all)`);
}

function printOccurrence(occurrence: Occurrence, say: (text?: string) => void): void {
  const { at, method, path, requestId, status, place, expected, actual, waived } = occurrence;
  const id = requestId === null ? '' : `  X-Request-ID ${requestId}`;
  say(`    ${at}  ${method} ${path} → ${status ?? 'no answer'}${id}`);
  say(`      ${place}: expected ${expected}${actual === undefined ? '' : `, found ${actual}`}`);
  if (waived !== undefined) say(`      waived: ${waived}`);
}

function sourcesOf({ clauses, sources, own }: RuleFindings['rule']): string[] {
  const outside = sources.map((source) => {
    const { title, place } = sourceOf(source);
    return place === null ? title : `${title} ${place}`;
  });
  const ofOwn = own === undefined ? [] : [own.source.text];
  return [...clauses.map((id) => `specification, ${CLAUSES[id].section}`), ...outside, ...ofOwn];
}

function asJson(file: string, result: CheckResult) {
  return {
    file,
    ...result,
    findings: result.findings.map(({ rule, severity, occurrences }) => ({
      rule: rule.id,
      severity,
      judges: rule.judges,
      statement: rule.statement,
      fix: rule.fix,
      sources: sourcesOf(rule),
      occurrences,
    })),
  };
}

/** `certificate/* (17 rules)` for many rules of one group, their ids for a few. */
function inGroups(rules: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const rule of rules) {
    const group = rule.slice(0, rule.indexOf('/'));
    groups.set(group, [...(groups.get(group) ?? []), rule]);
  }
  return [...groups].flatMap(([group, ids]) => (ids.length > 3 ? [`${group}/* (${ids.length} rules)`] : ids));
}
