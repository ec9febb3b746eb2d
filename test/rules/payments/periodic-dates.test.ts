import rule from '../../../src/rules/payments/periodic-dates.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const bank = { services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' as const } } } };
const periodic = (members: Record<string, unknown>, paymentService = 'periodic-payments') => ({
  bank,
  call: paymentWith({ frequency: 'Monthly', ...members }, { params: { paymentService } }),
});

testRule(rule, {
  complies: {
    today: periodic({ startDate: '2026-06-15' }),
    'an end on the day of the start': periodic({ startDate: '2026-07-01', endDate: '2026-07-01' }),
  },
  violates: {
    yesterday: {
      ...periodic({ startDate: '2026-06-14' }),
      finds: [{ place: 'body startDate', expected: '2026-06-15 or later', actual: '2026-06-14' }],
    },
    'a day that does not exist': {
      ...periodic({ startDate: '2026-07-01', endDate: '2026-06-31' }),
      finds: [{ place: 'body endDate', actual: '"2026-06-31", a day that does not exist' }],
    },
    'an end before the start': {
      ...periodic({ startDate: '2026-07-02', endDate: '2026-07-01' }),
      finds: [{ place: 'body endDate', expected: '2026-07-02 (startDate) or later' }],
    },
  },
  notApplicable: {
    'a single payment': periodic({ startDate: '2020-01-01' }, 'payments'),
    'no start, which another rule names': periodic({}),
    'a bank without periodic payments': { call: paymentWith({ startDate: '2020-01-01' }) },
  },
});
