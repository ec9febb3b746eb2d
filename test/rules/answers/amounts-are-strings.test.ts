import rule from '../../../src/rules/answers/amounts-are-strings.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'accounts.balances' } as const;
const balance = (amount: unknown) => ({
  balances: [{ balanceType: 'expected', balanceAmount: { currency: 'EUR', amount } }],
});

testRule(rule, {
  complies: [
    { name: 'a string with decimals', call, answer: { body: balance('-256.67') } },
    { name: 'a string without decimals', call, answer: { body: balance('42') } },
  ],
  violates: [
    {
      name: 'a JSON number',
      call,
      answer: { body: balance(-256.67) },
      finds: [{ place: 'answer body balances[0].balanceAmount.amount', actual: '-256.67 (a number)' }],
    },
    {
      name: 'a thousands separator',
      call,
      answer: { body: balance('1,000.00') },
      finds: [{ actual: '"1,000.00"' }],
    },
    { name: 'no number at all', call, answer: { body: balance('NaN') } },
    { name: 'four decimals', call, answer: { body: balance('1.0000') } },
    {
      name: 'a large report, of which ten are shown',
      call: { operation: 'accounts.transactions' },
      answer: {
        body: {
          transactions: {
            booked: Array.from({ length: 500 }, () => ({
              transactionAmount: { currency: 'EUR', amount: 1 },
            })),
          },
        },
      },
      finds: Array.from({ length: 10 }, () => ({ actual: '1 (a number)' })),
    },
  ],
  notApplicable: [
    { name: 'a body without amounts', call, answer: { body: { balances: [] } } },
    { name: 'a member named amount that is no money', call, answer: { body: { amount: 3 } } },
    { name: 'an error', call, answer: { status: 401, body: balance(1) } },
    { name: 'an answer of the gateway', call, answer: { source: 'gateway', body: balance(1) } },
  ],
});
