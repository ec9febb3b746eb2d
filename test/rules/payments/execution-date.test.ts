import rule from '../../../src/rules/payments/execution-date.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const on = (requestedExecutionDate: unknown) => paymentWith({ requestedExecutionDate });
const LATE = Date.UTC(2026, 5, 15, 23);

testRule(rule, {
  complies: [
    { name: 'today', call: on('2026-06-15') },
    { name: 'later', call: on('2027-01-01') },
    {
      name: 'today of the bank, while UTC has yesterday',
      call: paymentWith({ requestedExecutionDate: '2026-06-16' }, { at: LATE }),
    },
  ],
  violates: [
    {
      name: 'the day of UTC, once the bank has the next',
      call: paymentWith({ requestedExecutionDate: '2026-06-15' }, { at: LATE }),
      finds: [{ expected: '2026-06-16 or later' }],
    },
    {
      name: 'yesterday',
      call: on('2026-06-14'),
      finds: [
        { place: 'body requestedExecutionDate', expected: '2026-06-15 or later', actual: '2026-06-14' },
      ],
    },
    {
      name: 'a day that does not exist',
      call: on('2026-06-31'),
      finds: [{ expected: 'a real date, YYYY-MM-DD' }],
    },
    { name: 'another way of writing', call: on('15/06/2026') },
    { name: 'nothing in it', call: on('') },
    {
      name: 'null, which is no date, though its meaning is plain',
      call: on(null),
      finds: [{ expected: 'a date, or no such field', actual: 'null', atMost: 'should' }],
    },
  ],
  notApplicable: [
    { name: 'none', call: on(undefined) },
    { name: 'a number, which another rule judges', call: on(20260615) },
  ],
});
