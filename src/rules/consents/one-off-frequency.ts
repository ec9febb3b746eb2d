import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/one-off-frequency',
  statement: 'frequencyPerDay is 1 where recurringIndicator is false',
  clauses: ['consent-request.frequencyPerDay', 'consent-request.recurringIndicator'],
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A consent that is used once cannot be used several times a day; banks refuse the contradiction.',
  fix: 'Send frequencyPerDay 1 with recurringIndicator false, or recurringIndicator true.',
  examples: {
    complies: '"recurringIndicator":false,"frequencyPerDay":1',
    violates: '"recurringIndicator":false,"frequencyPerDay":4',
  },
  check: ({ call }) => {
    if (bodyMember(call, 'recurringIndicator') !== false) return 'not-applicable';
    const frequency = bodyMember(call, 'frequencyPerDay');
    // Zero, and what is no integer, are for consents/frequency-positive.
    if (typeof frequency !== 'number' || !Number.isInteger(frequency) || frequency < 1)
      return 'not-applicable';
    return (
      frequency === 1 ||
      violation('body frequencyPerDay', '1, as recurringIndicator is false', String(frequency))
    );
  },
});
