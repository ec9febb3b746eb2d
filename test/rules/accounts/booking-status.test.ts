import rule from '../../../src/rules/accounts/booking-status.js';
import { testRule } from '../rule-tester.js';

const ask = (query: string) => ({ operation: 'accounts.transactions' as const, query });

testRule(rule, {
  complies: ['booked', 'pending', 'both', 'all', 'information'].map((value) => ({
    name: value,
    call: ask(`bookingStatus=${value}`),
  })),
  violates: [
    {
      name: 'absent',
      call: ask('dateFrom=2026-05-01'),
      finds: [{ place: 'query bookingStatus', actual: 'absent' }],
    },
    { name: 'in capitals', call: ask('bookingStatus=BOOKED'), finds: [{ actual: 'BOOKED' }] },
    { name: 'empty', call: ask('bookingStatus=') },
  ],
  notApplicable: [{ name: 'balances', call: { operation: 'accounts.balances' } }],
});
