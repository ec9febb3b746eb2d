import { bankDateAt, daysBetween, isDate } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

const LONGEST = '9999-12-31';

export default defineRule({
  id: 'consents/valid-until-within-90-days',
  statement:
    'validUntil is at most 90 days ahead (9999-12-31 means the longest possible); later is shortened',
  clauses: ['limits.2', 'consent-duration'],
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  why: 'The bank shortens the consent, or refuses it, and the TPP plans with a date that does not hold.',
  fix: 'Count 90 days from today by the calendar, or send 9999-12-31 and read the granted date.',
  examples: {
    complies: '"validUntil":"2026-09-13", sent on 15 June 2026',
    violates: '"validUntil":"2026-09-14", sent on 15 June 2026',
  },
  check: ({ call, options }) => {
    const until = bodyMember(call, 'validUntil');
    if (typeof until !== 'string' || !isDate(until)) return 'not-applicable';
    const today = bankDateAt(call.at);
    if (until < today) return 'not-applicable';
    const days = daysBetween(today, until);
    const { consentDays } = options.dialect;
    if (until === LONGEST || days <= consentDays) return true;
    return violation(
      'body validUntil',
      `at most ${consentDays} days ahead, or ${LONGEST}`,
      `${until}, which is ${days} days ahead`,
    );
  },
});
