/** A consent asks for one kind of access. */
import { bodyMember, isPresent } from '../checks/request-body.js';
import { defineRule } from '../rule.js';

/** Members of one kind in one row; both spellings of the third are in use. */
const KINDS: readonly (readonly string[])[] = [
  ['allPsd2'],
  ['availableAccounts'],
  ['availableAccountsWithBalance', 'availableAccountsWithBalances'],
  ['accounts', 'balances', 'transactions'],
];

export default defineRule({
  id: 'consents/access-is-one-kind',
  statement:
    'access holds exactly one kind: allPsd2, availableAccounts, availableAccountsWithBalance(s), or a selection of accounts/balances/transactions; null members do not count',
  clauses: ['consent-request.access', 'consent-scopes'],
  sources: ['BG'],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: ['consents.create'],
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A mixture, or nothing at all, leaves open what the PSU is asked to consent to.',
  fix: 'Leave one kind of access and take the others out; make a consent of its own for each further kind.',
  examples: {
    complies: '"access":{"allPsd2":"allAccounts"}',
    violates: '"access":{"allPsd2":"allAccounts","balances":[]}',
  },
  check: ({ call }) => {
    const access = bodyMember(call, 'access');
    if (typeof access !== 'object' || access === null || Array.isArray(access)) return 'not-applicable';
    const found: string[] = [];
    let kinds = 0;
    for (const members of KINDS) {
      const present = members.filter((name) => isPresent(bodyMember(call, 'access', name)));
      if (present.length > 0) kinds++;
      found.push(...present);
    }
    if (kinds === 1) return true;
    const actual = kinds === 0 ? 'none of them' : found.join(', ');
    return { place: 'body access', expected: 'one kind of access', actual };
  },
});
