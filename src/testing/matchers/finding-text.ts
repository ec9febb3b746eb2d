/** Prints findings for a failed test: what is wrong, where, and what to do. */

import { GRAVITY, operationsOf, type Rule, ruleOf } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { SessionExchange, SessionFinding } from '../session-types.js';

const MOST_RULES = 10;
const MOST_PLACES = 3;

/** By rule, most severe first. */
export function findingsText(findings: readonly SessionFinding[]): string {
  const groups = new Map<string, SessionFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group === undefined) groups.set(finding.rule, [finding]);
    else group.push(finding);
  }
  const ordered = [...groups.values()].sort((a, b) => gravity(a) - gravity(b));
  const shown = ordered.slice(0, MOST_RULES).map((group) => groupText(group).join('\n'));
  const more = ordered.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${counted(more, 'further rule')}.`] : [])].join('\n\n');
}

const gravity = ([first]: readonly SessionFinding[]): number =>
  first === undefined ? GRAVITY.note : GRAVITY[first.severity];

function groupText(group: readonly SessionFinding[]): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const rule = ruleOf(first.rule);
  const whose = first.judges === 'tpp' ? 'the TPP’s' : 'the bank’s';
  const more = group.length - MOST_PLACES;
  return [
    `${first.severity.toUpperCase()} ${first.rule}, ${whose}`,
    ...(rule === undefined ? [] : [`  ${sentence(rule.statement)}`]),
    ...group.slice(0, MOST_PLACES).flatMap(placeText),
    ...(more > 0 ? [`  … and ${counted(more, 'further time')}`] : []),
    ...(rule === undefined ? [] : [`  Fix: ${rule.fix}`]),
  ];
}

function placeText(finding: SessionFinding): string[] {
  const { place, expected, actual, waived } = finding;
  return [
    `  at ${place}: expected ${expected}${actual === undefined ? '' : `, found ${actual}`}`,
    `     in ${finding.method} ${finding.path} → ${finding.status ?? 'no answer'}${waived === undefined ? '' : `, waived: ${waived}`}`,
  ];
}

/** How often a rule was looked at, for a finding that was expected and is not there. */
export function verdictsText(
  rule: Rule,
  exchanges: readonly SessionExchange[],
  off: readonly string[],
): string {
  if (off.includes(rule.id)) return 'The rule is off in this gateway, by its profile or by configuration.';
  const counts = { complied: 0, violated: 0, 'not-observed': 0 };
  for (const { verdicts } of exchanges) {
    const verdict = Object.hasOwn(verdicts, rule.id) ? verdicts[rule.id] : undefined;
    if (verdict !== undefined) counts[verdict] += 1;
  }
  const judged = counts.complied + counts['not-observed'];
  if (judged === 0) return `The rule applied to no call (it is about ${aboutText(rule)}).`;
  const unseen = counts['not-observed'] === 0 ? '' : `, could not be observed in ${counts['not-observed']}`;
  return `It was complied with in ${counted(counts.complied, 'call')}${unseen}.`;
}

function aboutText(rule: Rule): string {
  return typeof rule.appliesTo === 'string' ? 'all operations' : operationsOf(rule).join(', ');
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
