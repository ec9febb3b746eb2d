import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/frequency-allowed',
  statement: 'frequencyPerDay is 1 to 4',
  clauses: ['limits.1', 'consent-request.frequencyPerDay'],
  sources: ['BG', 'RTS 36(5)'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  why: 'Banks grant four accesses a day without the PSU. Some refuse a consent that asks for more.',
  fix: 'Send at most 4.',
  examples: {
    complies: '"recurringIndicator":true,"frequencyPerDay":4',
    violates: '"recurringIndicator":true,"frequencyPerDay":5',
  },
  check: ({ call, options }) => {
    const frequency = bodyMember(call, 'frequencyPerDay');
    // Zero, and what is no integer, are for consents/frequency-positive.
    if (typeof frequency !== 'number' || !Number.isInteger(frequency) || frequency < 1)
      return 'not-applicable';
    // Consents that are used once belong to consents/one-off-frequency.
    if (bodyMember(call, 'recurringIndicator') === false) return 'not-applicable';
    const { accessesPerDay } = options.dialect;
    if (frequency <= accessesPerDay) return true;
    return violation('body frequencyPerDay', `1 to ${accessesPerDay}`, String(frequency));
  },
});
