import { bankDateAt, isDate } from '../../spec/index.js';
import { isPeriodic } from '../checks/payment-calls.js';
import { bodyMember } from '../checks/request-body.js';
import { A_DATE, describeDate } from '../checks/schema-violations.js';
import { defineRule, type Violation, violation } from '../rule.js';

export default defineRule({
  id: 'payments/periodic-dates',
  statement:
    'startDate of a periodic payment is a real date, not in the past; endDate, if sent, is one that is not before it',
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'payment',
  isAsked: ({ dialect }) => dialect.productsOf('periodic-payments').length > 0,
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell when the first payment is due, or none ever is.',
  fix: 'Send startDate from today on as YYYY-MM-DD, and an endDate after it, or none.',
  examples: {
    complies: '"startDate":"2026-07-01","endDate":"2026-12-31", sent on 15 June 2026',
    violates: '"startDate":"2026-06-14", sent on 15 June 2026; "endDate":"2026-06-31"',
  },
  check: ({ call }) => {
    if (!isPeriodic(call)) return 'not-applicable';
    const dates = ['startDate', 'endDate'].flatMap((name) => {
      const date = bodyMember(call, name);
      // A missing start, or another type, is for payments/body-well-formed.
      return typeof date === 'string' && date !== '' ? [[name, date] as const] : [];
    });
    if (dates.length === 0) return 'not-applicable';
    const violations: Violation[] = dates
      .filter(([, date]) => !isDate(date))
      .map(([name, date]) => violation(`body ${name}`, A_DATE, describeDate(date)));
    if (violations.length > 0) return violations;
    const today = bankDateAt(call.at);
    const { startDate: start = today, endDate: end } = Object.fromEntries(dates);
    if (start < today) violations.push(violation('body startDate', `${today} or later`, start));
    if (end !== undefined && end < start)
      violations.push(violation('body endDate', `${start} (startDate) or later`, end));
    return violations;
  },
});
