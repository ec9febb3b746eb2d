/** The matchers of findings: `toComply()`, `toHaveFinding('oauth/state-fresh')` and `toStayWithinDailyLimit()`. */

import { GRAVITY, RULES, ruleOf } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { ComplyOptions } from '../types.js';
import { findingsText, verdictsText } from './finding-text.js';
import { type MatcherResult, openSubject } from './subject.js';
import { unknownName } from './unknown-name.js';

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
  if (rule === undefined)
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
        `${id} should be violated: ${rule.statement}.`,
        verdictsText(rule, exchanges, switchedOff),
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
