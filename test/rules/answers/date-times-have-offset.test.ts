import rule from '../../../src/rules/answers/date-times-have-offset.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'accounts.balances' } as const;
const changed = (lastChangeDateTime: unknown) => ({ balances: [{ lastChangeDateTime }] });

testRule(rule, {
  complies: {
    'in UTC': { call, answer: { body: changed('2026-06-15T09:30:00Z') } },
    'with an offset and fractions': { call, answer: { body: changed('2026-06-15T09:30:00.123+02:00') } },
    ...Object.fromEntries(
      ['+0200', '-0330', '+02'].map((offset) => [
        `with the offset ${offset}, as ISO 8601 writes it too`,
        { call, answer: { body: changed(`2026-06-15T09:30:00.000${offset}`) } },
      ]),
    ),
  },
  violates: {
    'without offset': {
      call,
      answer: { body: changed('2026-06-15T09:30:00') },
      finds: [{ place: 'answer body balances[0].lastChangeDateTime', actual: '"2026-06-15T09:30:00"' }],
    },
    'an offset of no clock': { call, answer: { body: changed('2026-06-15T09:30:00+9900') } },
    'a date alone': { call, answer: { body: changed('2026-06-15') } },
    'a day that is none': { call, answer: { body: changed('2026-02-30T09:30:00Z') } },
  },
  notApplicable: {
    'a body without date-times': { call, answer: { body: { balances: [{ referenceDate: '2026-06-15' }] } } },
    'a free text that begins like one': {
      call: { operation: 'accounts.transactions' },
      answer: {
        body: { transactions: { booked: [{ remittanceInformationUnstructured: '2026-06-15T09:30 rent' }] } },
      },
    },
    'an error': { call, answer: { status: 500, body: changed('x') } },
  },
});
