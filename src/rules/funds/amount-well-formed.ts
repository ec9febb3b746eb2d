import { judgeAmount } from '../checks/money.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'funds/amount-well-formed',
  statement: 'As payments/amount-well-formed',
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'funds-confirmations',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Numbers of JSON lose cents on their way; banks take amounts as text only.',
  fix: 'Send an amount above zero as a string with a dot, such as "12.50", without thousands separators, sign or currency.',
  examples: { complies: '"amount":"123.50"', violates: '"amount":123.5' },
  check: ({ call }) => judgeAmount(call),
});
