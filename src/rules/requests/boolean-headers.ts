import { headersWhere, isKnown } from '../checks/known-calls.js';
import { defineRule, type Violation, violation } from '../rule.js';

const BOOLEANS = headersWhere(({ form }) => form === 'boolean');

export default defineRule({
  id: 'requests/boolean-headers',
  statement: 'TPP-Explicit-Authorisation-Preferred is exactly true or false where present',
  clauses: ['endpoint.consents.create', 'endpoint.payments.create', 'creation.1', 'creation.2'],
  sources: ['BG'],
  appliesTo: isKnown,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell whether an explicit authorisation is wanted.',
  fix: 'Write true or false, in small letters and without quotation marks.',
  examples: {
    complies: 'TPP-Explicit-Authorisation-Preferred: true',
    violates: 'TPP-Explicit-Authorisation-Preferred: yes',
  },
  check: ({ call }) => {
    let violations: Violation[] | undefined;
    let present = false;
    for (const [header, { name }] of BOOLEANS) {
      const value = call.header[header];
      if (value === undefined) continue;
      present = true;
      if (value === 'true' || value === 'false') continue;
      violations ??= [];
      violations.push(violation(`header ${name}`, 'true or false', value || 'empty'));
    }
    return violations ?? (present || 'not-applicable');
  },
});
