import { isDate } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { A_DATE, describeDate } from '../checks/schema-violations.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/valid-until-is-a-date',
  statement: 'validUntil is a real calendar date YYYY-MM-DD',
  clauses: ['consent-request.validUntil'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Without a date the bank cannot tell when the consent ends.',
  fix: 'Send a day of the calendar as YYYY-MM-DD, without a time of day.',
  examples: { complies: '"validUntil":"2026-09-01"', violates: '"validUntil":"2026-02-30"' },
  check: ({ call }) => {
    const until = bodyMember(call, 'validUntil');
    // A missing one, or another type, is for consents/body-well-formed.
    if (typeof until !== 'string') return 'not-applicable';
    return isDate(until) || violation('body validUntil', A_DATE, describeDate(until));
  },
});
