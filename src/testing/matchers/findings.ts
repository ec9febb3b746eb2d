/** The matchers of findings: `toComply()`, `toHaveFinding('oauth/state-fresh')` and `toStayWithinDailyLimit()`. */
import { GRAVITY, isOwnRule, operationsOf, RULES, type Rule, ruleOf } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { SessionExchange, SessionFinding } from '../session-types.js';
import type { ComplyOptions } from '../types.js';
import { type MatcherResult, openSubject, unknownName } from './subject.js';

const WHOSE = { tpp: 'The TPP does', aspsp: 'The bank does', both: 'TPP and bank do' } as const;

/** Waived findings do not count. */
export function toComply(received: unknown, options: ComplyOptions = {}): MatcherResult {
  const { from = 'should', judges = 'tpp' } = options;
  const { exchanges, findings } = openSubject(received, 'toComply');
  const counting = findings.filter(
    (finding) =>
      finding.waived === undefined &&
      GRAVITY[finding.severity] <= GRAVITY[from] &&
      (judges === 'both' || finding.judges === judges),
  );
  const calls = counted(exchanges.length, 'call');
  return {
    pass: counting.length === 0,
    message: () =>
      counting.length === 0
        ? `${WHOSE[judges]} comply: ${calls} without finding, but one was expected.`
        : `${WHOSE[judges]} not comply: ${counted(counting.length, 'finding')} in ${calls}.\n\n${findingsText(counting)}`,
  };
}

/** A waived finding is one too. */
export function toHaveFinding(received: unknown, id: string): MatcherResult {
  const rule = ruleOf(id);
  if (rule === undefined && !isOwnRule(id))
    throw unknownName(
      'rule',
      id,
      RULES.map((known) => known.id),
    );
  const { exchanges, findings, switchedOff } = openSubject(received, 'toHaveFinding');
  const found = findings.filter((finding) => finding.rule === id);
  return {
    pass: found.length > 0,
    message: () => {
      if (found.length > 0) return `${id} should not be violated.\n\n${findingsText(found)}`;
      const others = [...new Set(findings.map((finding) => finding.rule))];
      return [
        `${id} should be violated${rule === undefined ? '' : `: ${rule.statement}`}.`,
        verdictsText(id, rule, exchanges, switchedOff),
        others.length === 0
          ? 'There is no finding at all.'
          : `${counted(others.length, 'rule')} violated instead: ${others.join(', ')}.`,
      ].join('\n');
    },
  };
}

const RULE = 'accounts/within-daily-limit';

export function toStayWithinDailyLimit(received: unknown): MatcherResult {
  const { exchanges, findings, switchedOff } = openSubject(received, 'toStayWithinDailyLimit');
  if (switchedOff.includes(RULE))
    throw new Error(`toStayWithinDailyLimit() cannot tell: the rule ${RULE} is off in this gateway.`);
  const over = findings.filter(({ rule }) => rule === RULE);
  const counting = exchanges.filter(({ verdicts }) => Object.hasOwn(verdicts, RULE)).length;
  return {
    pass: over.length === 0,
    message: () =>
      over.length === 0
        ? `The daily limit should be exceeded, but all ${counting} counted accesses kept within it.`
        : `${over.length} of ${counting} counted accesses went over the daily limit.\n\n${findingsText(over)}`,
  };
}

const MOST_RULES = 10;
const MOST_PLACES = 3;

/** By rule, most severe first. */
function findingsText(findings: readonly SessionFinding[]): string {
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
function verdictsText(
  id: string,
  rule: Rule | undefined,
  exchanges: readonly SessionExchange[],
  off: readonly string[],
): string {
  if (off.includes(id)) return 'The rule is off in this gateway, by its profile or by configuration.';
  const counts = { complied: 0, violated: 0, 'not-observed': 0 };
  for (const { verdicts } of exchanges) {
    const verdict = Object.hasOwn(verdicts, id) ? verdicts[id] : undefined;
    if (verdict !== undefined) counts[verdict] += 1;
  }
  const judged = counts.complied + counts['not-observed'];
  if (judged === 0)
    return `The rule applied to no call${rule === undefined ? '' : ` (it is about ${aboutText(rule)})`}.`;
  const unseen = counts['not-observed'] === 0 ? '' : `, could not be observed in ${counts['not-observed']}`;
  return `It was complied with in ${counted(counts.complied, 'call')}${unseen}.`;
}

function aboutText(rule: Rule): string {
  return typeof rule.appliesTo === 'string' ? 'all operations' : operationsOf(rule).join(', ');
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
