/** `sandgate rules`: prints the catalogue, or one rule with its sources, examples and fix. */
import { Command } from 'commander';
import { type EffectiveRule, effectiveRules } from '../../app/config/index.js';
import { operationsOf, type Profile, type Rule } from '../../rules/index.js';
import { clauseRow, counted, dateAt, SandgateError, slipOf } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf } from '../options.js';
import { printJson, widthOf } from '../output.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { code, ownSource, refusalText, ruleMarkdown, sourceOf } from '../rule-text.js';
import { renderTable } from '../table.js';

const PROFILES = ['sandbox', 'production'] as const satisfies readonly Profile[];

const OPTIONS = [
  ['--format <FORMAT>', 'Format of the output.', { choices: ['table', 'json', 'markdown'] }],
  ['--profile <PROFILE>', 'Print severities under this profile only.', { choices: PROFILES }],
  ['--config <FILE>', 'Settings in JSON, whose severities and waivers are shown.'],
  ...OWN_RULES,
  ['--json', 'Same as --format json.'],
] as const;

export default function rules(context: CliContext): Command {
  return addOptions(
    new Command('rules')
      .description('Print the rule catalogue: what each rule demands, its severity, and how to comply.')
      .argument('[ID]', 'One rule, such as oauth/state-fresh, or a group of rules, such as oauth.'),
    OPTIONS,
  ).action(async (id: string | undefined, flags: FlagsOf<typeof OPTIONS>) => {
    const { config } = await loadJudging(
      { flags: ownRulesFlags(flags), env: context.env, file: flags.config },
      context,
    );
    const today = dateAt(context.clock());
    const all = effectiveRules(config, today);
    const profiles = flags.profile === undefined ? PROFILES : [flags.profile];
    const found = select(all, id);
    const one = found.length === 1 && found[0]?.rule.id === id ? found[0] : undefined;
    const format = flags.json === true ? 'json' : (flags.format ?? 'table');
    if (format === 'json') printJson(context.stdout, one === undefined ? found.map(asJson) : asJson(one));
    else context.stdout.write(render(format, one, found, profiles, widthOf(context.stdout)));
  });
}

function select(all: readonly EffectiveRule[], id: string | undefined): readonly EffectiveRule[] {
  if (id === undefined) return all;
  const family = `${id.replace(/\/?\*?$/, '')}/`;
  const found = all.filter(({ rule }) => rule.id === id || rule.id.startsWith(family));
  if (found.length > 0) return found;
  const nearest = slipOf(
    id.slice(0, 100),
    all.map(({ rule }) => rule.id),
  );
  throw new SandgateError('rule.unknown', { id, use: '', nearest });
}

function render(
  format: 'table' | 'markdown',
  one: EffectiveRule | undefined,
  found: readonly EffectiveRule[],
  profiles: readonly Profile[],
  width: number | undefined,
): string {
  if (format === 'markdown') {
    const list = listMarkdown(found, profiles);
    return one === undefined ? list : `${list}\n${ruleMarkdown(one.rule)}\n`;
  }
  return one === undefined ? listTable(found, profiles, width) : ruleText(one, profiles);
}

/** A star marks what the configuration says. */
const severityText = ({ severity, configured }: EffectiveRule, profile: Profile): string =>
  `${severity[profile] === 'off' ? '-' : severity[profile]}${configured ? '*' : ''}`;

function rowOf(effective: EffectiveRule, profiles: readonly Profile[]): string[] {
  const { rule } = effective;
  const severities = profiles.map((profile) => severityText(effective, profile));
  return [rule.id, rule.judges, ...severities, refusalText(rule.refusal), rule.statement];
}

const headOf = (profiles: readonly Profile[]): string[] => [
  'rule',
  'judges',
  ...profiles,
  'refusal',
  'statement',
];

function notesOf(found: readonly EffectiveRule[]): string[] {
  return [
    ...(found.some(({ configured }) => configured) ? ['* as configured'] : []),
    ...found.flatMap(({ rule, reason }) =>
      reason === null ? [] : [`${rule.id} by the bank's profile: ${reason}`],
    ),
    ...new Set(found.flatMap(({ rule: { own } }) => (own === undefined ? [] : [fileText(own.file)]))),
    ...found.flatMap(({ waivers }) =>
      waivers.map(({ rule, reason, until }) => `${rule} is waived until ${until}: ${reason}`),
    ),
  ];
}

const fileText = ({ name, digest }: NonNullable<Rule['own']>['file']): string =>
  `Own rules: ${name} (SHA-256 ${digest})`;

function listTable(
  found: readonly EffectiveRule[],
  profiles: readonly Profile[],
  width: number | undefined,
): string {
  const columns = headOf(profiles);
  const table = renderTable(
    columns,
    found.map((one) => rowOf(one, profiles)),
    width,
  );
  const notes = [counted(found.length, 'rule'), ...notesOf(found)];
  return `${table}\n${notes.join('\n')}\n`;
}

function listMarkdown(found: readonly EffectiveRule[], profiles: readonly Profile[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rows = found.map((one) => {
    const [id = '', ...rest] = rowOf(one, profiles);
    return line([code(id), ...rest]);
  });
  const head = headOf(profiles).map((title) => title[0]?.toUpperCase() + title.slice(1));
  const notes = notesOf(found).map((note) => `\n${note.replace(/^\*/, '\\*')}\n`);
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows, ''].join('\n') + notes.join('');
}

const LABEL = 12;

function ruleText(effective: EffectiveRule, profiles: readonly Profile[]): string {
  const { rule } = effective;
  const field = (label: string, ...lines: readonly string[]) =>
    lines.map((line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL)}${line}`);
  const severities = profiles.map((profile) => `${effective.severity[profile]} under ${profile}`);
  return [
    rule.id,
    `${rule.statement}.`,
    '',
    ...field('Severity', `${severities.join(', ')}${effective.configured ? ' (as configured)' : ''}`),
    ...(effective.reason === null ? [] : field('', `by the bank's profile: ${effective.reason}`)),
    ...field('Judges', `${rule.judges === 'tpp' ? 'the TPP' : 'the bank'}, ${SCOPES[rule.scope]}`),
    ...field('Applies to', aboutOf(rule)),
    ...field('Refused', refusalText(rule.refusal) || 'no'),
    ...field('Why', rule.why),
    ...field('To do', rule.fix),
    ...field('Complies', rule.examples.complies),
    ...field('Violates', rule.examples.violates),
    ...field('Sources', ...groundOf(effective)),
    ...(rule.own === undefined
      ? []
      : field('File', `${rule.own.file.name} (SHA-256 ${rule.own.file.digest})`)),
    ...effective.waivers.flatMap(({ reason, until }) => field('Waived', `until ${until}: ${reason}`)),
    '',
  ].join('\n');
}

const SCOPES = {
  connection: 'before the answer, by the connection',
  call: 'before the answer',
  exchange: 'with the answer',
} as const;

function aboutOf(rule: Rule): string {
  if (rule.appliesTo === 'all') return 'every call';
  if (rule.appliesTo === 'all-with-certificate') return 'every call except those of the PSU’s browser';
  return operationsOf(rule).join(', ');
}

function groundOf({ rule }: EffectiveRule): string[] {
  const clauses = rule.clauses.map((id) => `Specification, ${clauseRow(id).section}: ${clauseRow(id).text}`);
  const outside = rule.sources.map((source) => {
    const { title, place, url } = sourceOf(source);
    return [title, ...(place === null ? [] : [`section ${place}`]), ...(url === null ? [] : [url])].join(
      ', ',
    );
  });
  return [...clauses, ...outside, ...ownSource(rule)];
}

function asJson({ rule, severity, configured, waivers }: EffectiveRule) {
  const { id, statement, judges, scope, needs, why, fix, examples } = rule;
  return {
    id,
    statement,
    judges,
    scope,
    severity,
    configured,
    refusal: refusalText(rule.refusal) || null,
    appliesTo: typeof rule.appliesTo === 'string' ? rule.appliesTo : operationsOf(rule),
    needs,
    why,
    fix,
    examples,
    clauses: rule.clauses.map((clause) => {
      const { section, text } = clauseRow(clause);
      return { id: clause, section, text };
    }),
    sources: rule.sources.map(sourceOf),
    ...(rule.own === undefined ? {} : { own: rule.own }),
    waivers,
  };
}
