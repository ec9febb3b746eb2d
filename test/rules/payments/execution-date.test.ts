import rule from '../../../src/rules/payments/execution-date.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const on = (requestedExecutionDate: unknown) => paymentWith({ requestedExecutionDate });
const LATE = Date.UTC(2026, 5, 15, 23);

testRule(rule, {
  complies: {
    today: { call: on('2026-06-15') },
    later: { call: on('2027-01-01') },
    'today of the bank, while UTC has yesterday': {
      call: paymentWith({ requestedExecutionDate: '2026-06-16' }, { at: LATE }),
    },
  },
  violates: {
    'the day of UTC, once the bank has the next': {
      call: paymentWith({ requestedExecutionDate: '2026-06-15' }, { at: LATE }),
      finds: [{ expected: '2026-06-16 or later' }],
    },
    yesterday: {
      call: on('2026-06-14'),
      finds: [
        { place: 'body requestedExecutionDate', expected: '2026-06-15 or later', actual: '2026-06-14' },
      ],
    },
    'a day that does not exist': { call: on('2026-06-31'), finds: [{ expected: 'a real date, YYYY-MM-DD' }] },
    'another way of writing': { call: on('15/06/2026') },
    'nothing in it': { call: on('') },
    'null, which is no date, though its meaning is plain': {
      call: on(null),
      finds: [{ expected: 'a date, or no such field', actual: 'null', atMost: 'should' }],
    },
  },
  notApplicable: {
    none: { call: on(undefined) },
    'a number, which another rule judges': { call: on(20260615) },
  },
});
