/** `expect(gateway).toHaveFinding('oauth/state-fresh')`: the rule was violated. */
import { RULES, ruleOf } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import { findingsText, verdictsText } from './finding-text.js';
import { type MatcherResult, openSubject } from './subject.js';
import { unknownName } from './unknown-name.js';

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
