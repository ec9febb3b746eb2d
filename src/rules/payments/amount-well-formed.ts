import { judgeEach } from '../checks/each-payment.js';
import { judgeAmount } from '../checks/money.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'payments/amount-well-formed',
  statement:
    'amount of a payment is a string: up to 14 digits, a dot and up to 3 decimals, greater than zero, no sign',
  clauses: ['payment-request.amount'],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A bank that reads an amount otherwise moves other money, or refuses it. A JSON number loses cents on its way.',
  fix: 'Send an amount above zero as a string with a dot, such as "12.50", without thousands separators, sign or currency.',
  examples: { complies: '"amount":"123.50"', violates: '"amount":123.5' },
  check: ({ call }) => judgeEach(call, judgeAmount),
});
