import { bodyMember } from '../checks/request-body.js';
import { defineRule, type Violation } from '../rule.js';

const GLOBAL = [
  'allPsd2',
  'availableAccounts',
  'availableAccountsWithBalance',
  'availableAccountsWithBalances',
];

export default defineRule({
  id: 'consents/access-value',
  statement: 'allPsd2 (and its siblings) has the value allAccounts',
  clauses: ['consent-request.access.allPsd2'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'No other value is offered, so the bank cannot make the consent.',
  fix: 'Send allAccounts, in exactly these letters.',
  examples: {
    complies: '"access":{"allPsd2":"allAccounts"}',
    violates: '"access":{"allPsd2":"all"}',
  },
  check: ({ call }) => {
    const violations: Violation[] = [];
    let judged = false;
    for (const name of GLOBAL) {
      const value = bodyMember(call, 'access', name);
      // Another type is for consents/body-well-formed.
      if (typeof value !== 'string') continue;
      judged = true;
      if (value !== 'allAccounts')
        violations.push({
          place: `body access.${name}`,
          expected: 'allAccounts',
          actual: value || 'an empty string',
        });
    }
    return judged ? violations : 'not-applicable';
  },
});
