import { jsonPath, membersOf } from '../../exchange/index.js';
import { hasBody } from '../checks/bank-answer.js';
import { describe } from '../checks/schema-violations.js';
import { defineRule, violation } from '../rule.js';

const FORM = 'a string of up to 14 digits, a dot and up to 3 decimals, such as "-256.67"';

export default defineRule({
  id: 'answers/amounts-are-strings',
  statement: "Amounts are strings of the standard's form",
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: hasBody,
  needs: ['bank-success', 'answer-json'],
  looksAt: 'answer',
  why: 'A number loses digits in clients that read it as a float, and breaks those that expect a string.',
  fix: 'Write amounts as strings with a dot, without thousands separators.',
  examples: {
    complies: '{"currency":"EUR","amount":"-256.67"}',
    violates: '{"currency":"EUR","amount":-256.67}',
  },
  check: ({ answer }) => {
    const { hasAmounts, wrongAmounts } = membersOf(answer);
    if (!hasAmounts) return 'not-applicable';
    return wrongAmounts.map(({ path, value }) =>
      violation(`answer body ${jsonPath(path)}`, FORM, describe(value)),
    );
  },
});
