import { bankDateAt, isDate } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/valid-until-not-past',
  statement: 'validUntil is not before today',
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A consent whose end has passed at its creation can never be used.',
  fix: 'Count validUntil from the day of the request.',
  examples: {
    complies: '"validUntil":"2026-06-15", sent on 15 June 2026',
    violates: '"validUntil":"2026-06-14", sent on 15 June 2026',
  },
  check: ({ call }) => {
    const until = bodyMember(call, 'validUntil');
    if (typeof until !== 'string' || !isDate(until)) return 'not-applicable';
    const today = bankDateAt(call.at);
    return until >= today || violation('body validUntil', `${today} or later`, until);
  },
});
