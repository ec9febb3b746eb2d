import rule from '../../../src/rules/accounts/history-within-90-days.js';
import { testRule } from '../rule-tester.js';

const ask = (from: string) => ({ operation: 'accounts.transactions' as const, query: `dateFrom=${from}` });

testRule(rule, {
  complies: [
    { name: 'yesterday', call: ask('2026-06-14') },
    { name: '90 days ago', call: ask('2026-03-17') },
  ],
  violates: [
    {
      name: '91 days ago',
      call: ask('2026-03-16'),
      finds: [{ place: 'query dateFrom', actual: '2026-03-16, 91 days before' }],
    },
    { name: 'three months ago, which are 92 days', call: ask('2026-03-15') },
  ],
  notApplicable: [
    { name: 'no start', call: { operation: 'accounts.transactions', query: 'bookingStatus=booked' } },
    { name: 'no date', call: ask('2026-02-30') },
  ],
});
