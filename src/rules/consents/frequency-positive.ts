import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/frequency-positive',
  statement: 'frequencyPerDay is an integer of 1 or more',
  clauses: ['consent-request.frequencyPerDay'],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A consent for no access, or for half an access, has no meaning.',
  fix: 'Send a whole number of at least 1.',
  examples: { complies: '"frequencyPerDay":1', violates: '"frequencyPerDay":0' },
  check: ({ call }) => {
    const frequency = bodyMember(call, 'frequencyPerDay');
    // A missing one, or another type, is for consents/body-well-formed.
    if (typeof frequency !== 'number') return 'not-applicable';
    if (Number.isInteger(frequency) && frequency >= 1) return true;
    return violation('body frequencyPerDay', 'an integer of 1 or more', String(frequency));
  },
});
