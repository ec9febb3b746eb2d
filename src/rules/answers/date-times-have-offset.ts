import { jsonPath, membersOf } from '../../exchange/index.js';
import { hasBody } from '../checks/bank-answer.js';
import { describe } from '../checks/schema-violations.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'answers/date-times-have-offset',
  statement: 'Date-times carry an offset',
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: hasBody,
  needs: ['bank-success', 'answer-json'],
  looksAt: 'answer',
  why: 'Without an offset the moment is ambiguous, and strict parsers refuse the text.',
  fix: 'Write date-times with Z or an offset as in RFC 3339: +02:00.',
  examples: {
    complies: '"lastChangeDateTime":"2026-06-15T09:30:00Z"',
    violates: '"lastChangeDateTime":"2026-06-15T09:30:00"',
  },
  check: ({ answer }) => {
    const { hasDateTimes, wrongDateTimes } = membersOf(answer);
    if (!hasDateTimes) return 'not-applicable';
    return wrongDateTimes.map(({ path, value }) =>
      violation(
        `answer body ${jsonPath(path)}`,
        'a date and time with offset, such as 2026-06-15T09:30:00Z',
        describe(value),
      ),
    );
  },
});
