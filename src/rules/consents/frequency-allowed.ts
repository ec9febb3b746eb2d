import { LIMITS } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'consents/frequency-allowed',
  statement: 'frequencyPerDay is 1 to 4, and 1 when not recurring',
  clauses: ['limits.1', 'consent-request.frequencyPerDay'],
  sources: ['BG', 'RTS 36(5)'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  why: 'Banks grant four accesses a day without the PSU, and one to a consent that is used once. Some refuse a consent that asks for more.',
  fix: 'Send at most 4 with recurringIndicator true, and 1 with false.',
  examples: {
    complies: '"recurringIndicator":true,"frequencyPerDay":4',
    violates: '"recurringIndicator":false,"frequencyPerDay":4',
  },
  check: ({ call }) => {
    const frequency = bodyMember(call, 'frequencyPerDay');
    // Zero, and what is no integer, are for consents/frequency-positive.
    if (typeof frequency !== 'number' || !Number.isInteger(frequency) || frequency < 1)
      return 'not-applicable';
    const once = bodyMember(call, 'recurringIndicator') === false;
    if (frequency <= (once ? 1 : LIMITS.accessesPerDay)) return true;
    return {
      place: 'body frequencyPerDay',
      expected: once ? '1, as recurringIndicator is false' : `1 to ${LIMITS.accessesPerDay}`,
      actual: String(frequency),
    };
  },
});
