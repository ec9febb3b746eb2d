/** `expect(gateway).toStayWithinDailyLimit()`: no account was read more often without the PSU than a day allows. */
import { findingsText } from './finding-text.js';
import { type MatcherResult, openSubject } from './subject.js';

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
