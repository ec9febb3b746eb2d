import { bankDateAt, isDate } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { A_DATE, describeDate } from '../checks/schema-violations.js';
import { defineRule, violation } from '../rule.js';

const PLACE = 'body requestedExecutionDate';

export default defineRule({
  id: 'payments/execution-date',
  statement: 'requestedExecutionDate is a real date, not in the past',
  clauses: ['payment-request.requestedExecutionDate'],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'EXECUTION_DATE_INVALID' },
  why: 'A bank cannot execute a payment yesterday, and refuses it.',
  fix: 'Send a date from today on as YYYY-MM-DD, or leave the field out for a payment at once.',
  examples: {
    complies: '"requestedExecutionDate":"2026-06-15", sent on 15 June 2026',
    violates: '"requestedExecutionDate":"15.06.2026"',
  },
  check: ({ call }) => {
    const date = bodyMember(call, 'requestedExecutionDate');
    if (date === null)
      return { place: PLACE, expected: 'a date, or no such field', actual: 'null', atMost: 'should' };
    if (typeof date !== 'string') return 'not-applicable';
    if (!isDate(date)) return violation(PLACE, A_DATE, describeDate(date));
    const today = bankDateAt(call.at);
    return date >= today || violation(PLACE, `${today} or later`, date);
  },
});
