import rule from '../../../src/rules/answers/amounts-are-strings.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'accounts.balances' } as const;
const balance = (amount: unknown) => ({
  balances: [{ balanceType: 'expected', balanceAmount: { currency: 'EUR', amount } }],
});

testRule(rule, {
  complies: {
    'a string with decimals': { call, answer: { body: balance('-256.67') } },
    'a string without decimals': { call, answer: { body: balance('42') } },
  },
  violates: {
    'a JSON number': {
      call,
      answer: { body: balance(-256.67) },
      finds: [{ place: 'answer body balances[0].balanceAmount.amount', actual: '-256.67 (a number)' }],
    },
    'a thousands separator': {
      call,
      answer: { body: balance('1,000.00') },
      finds: [{ actual: '"1,000.00"' }],
    },
    'no number at all': { call, answer: { body: balance('NaN') } },
    'four decimals': { call, answer: { body: balance('1.0000') } },
    'a large report, of which ten are shown': {
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
  },
  notApplicable: {
    'a body without amounts': { call, answer: { body: { balances: [] } } },
    'a member named amount that is no money': { call, answer: { body: { amount: 3 } } },
    'an error': { call, answer: { status: 401, body: balance(1) } },
    'an answer of the gateway': { call, answer: { source: 'gateway', body: balance(1) } },
  },
});
