import { bodyMember } from '../checks/request-body.js';
import { defineRule, type Violation, violation } from '../rule.js';

const LISTS = ['allAccounts', 'allAccountsWithOwnerName'];
/** The kinds of access that name no account, with the values that each may have. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  allPsd2: ['allAccounts'],
  availableAccounts: LISTS,
  availableAccountsWithBalance: LISTS,
  availableAccountsWithBalances: LISTS,
};

export default defineRule({
  id: 'consents/access-value',
  statement: 'allPsd2 has the value allAccounts; availableAccounts… that or allAccountsWithOwnerName',
  clauses: ['consent-request.access.allPsd2'],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'No other value is offered, so the bank cannot make the consent.',
  fix: 'Send allAccounts in this spelling; only the kinds of availableAccounts may have allAccountsWithOwnerName.',
  examples: {
    complies: '"access":{"allPsd2":"allAccounts"}',
    violates: '"access":{"allPsd2":"all"}',
  },
  check: ({ call }) => {
    const violations: Violation[] = [];
    let judged = false;
    for (const [name, values] of Object.entries(VALUES)) {
      const value = bodyMember(call, 'access', name);
      // Another type is for consents/body-well-formed.
      if (typeof value !== 'string') continue;
      judged = true;
      if (!values.includes(value))
        violations.push(violation(`body access.${name}`, values.join(' or '), value || 'an empty string'));
    }
    return judged ? violations : 'not-applicable';
  },
});
