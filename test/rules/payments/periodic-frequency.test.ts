import rule from '../../../src/rules/payments/periodic-frequency.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const bank = { services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' as const } } } };
const periodic = (members: Record<string, unknown>, paymentService = 'periodic-payments') => ({
  bank,
  call: paymentWith({ startDate: '2026-07-01', ...members }, { params: { paymentService } }),
});

testRule(rule, {
  complies: {
    monthly: periodic({ frequency: 'Monthly' }),
    'on the last day of each month': periodic({
      frequency: 'Monthly',
      executionRule: 'preceding',
      dayOfExecution: '31',
    }),
    'a day with a zero before it': periodic({ frequency: 'Monthly', dayOfExecution: '01' }),
    'in some months': periodic({ frequency: 'MonthlyVariable', monthsOfExecution: ['1', '7'] }),
  },
  violates: {
    'another case': {
      ...periodic({ frequency: 'MONTHLY' }),
      finds: [{ place: 'body frequency', actual: '"MONTHLY"' }],
    },
    'a rule that there is not': {
      ...periodic({ frequency: 'Weekly', executionRule: 'next' }),
      finds: [{ place: 'body executionRule', expected: 'following or preceding' }],
    },
    'day 32': {
      ...periodic({ frequency: 'Monthly', dayOfExecution: '32' }),
      finds: [{ place: 'body dayOfExecution' }],
    },
    'some months that it does not name': {
      ...periodic({ frequency: 'MonthlyVariable' }),
      finds: [{ place: 'body monthsOfExecution', actual: 'absent' }],
    },
  },
  notApplicable: {
    'a single payment': periodic({ frequency: 'often' }, 'payments'),
    'a number, which another rule names': periodic({ frequency: 12 }),
    'a bank without periodic payments': { call: paymentWith({ frequency: 'often' }) },
  },
});
