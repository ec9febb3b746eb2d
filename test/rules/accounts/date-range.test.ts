import rule from '../../../src/rules/accounts/date-range.js';
import { testRule } from '../rule-tester.js';

const ask = (query: string) => ({ operation: 'accounts.transactions' as const, query });

testRule(rule, {
  complies: {
    'a start': { call: ask('dateFrom=2026-05-01') },
    both: { call: ask('dateFrom=2026-05-01&dateTo=2026-05-31') },
    'one day': { call: ask('dateFrom=2026-05-01&dateTo=2026-05-01') },
  },
  violates: {
    'a right date, and none behind it': {
      call: { operation: 'accounts.transactions', query: 'dateFrom=2026-05-01&dateFrom=soon' },
      finds: [{ place: 'query dateFrom', expected: 'the parameter once', actual: '2026-05-01, soon' }],
    },
    'a date, and one of ten years ago behind it': {
      call: { operation: 'accounts.transactions', query: 'dateFrom=2026-05-01&dateFrom=2016-05-01' },
    },
    'no such day': {
      call: ask('dateFrom=2026-06-31'),
      finds: [{ place: 'query dateFrom', actual: '"2026-06-31", a day that does not exist' }],
    },
    'both are none': {
      call: ask('dateFrom=01.05.2026&dateTo='),
      finds: [{ place: 'query dateFrom' }, { place: 'query dateTo', actual: 'an empty string' }],
    },
    'one of another form, after the other whatever it means': {
      call: ask('dateFrom=01/10/2026&dateTo=2026-01-01'),
      finds: [{ place: 'query dateFrom' }, { place: 'query dateTo', expected: 'dateFrom or later' }],
    },
    'one of another form, which may be before the other': {
      call: ask('dateFrom=01/10/2026&dateTo=2026-09-01'),
      finds: [{ place: 'query dateFrom' }],
    },
    reversed: {
      call: ask('dateFrom=2026-05-31&dateTo=2026-05-01'),
      finds: [{ place: 'query dateTo', refusal: { code: 'PERIOD_INVALID' } }],
    },
  },
  notApplicable: { 'no dates': { call: ask('bookingStatus=booked') } },
});
