import { type Call, isObject } from '../../exchange/index.js';
import type { Dialect } from '../../spec/index.js';
import { bodyMember, isPresent } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

/** Members of one kind in one row; both spellings of the third are in use. */
const KINDS: readonly (readonly string[])[] = [
  ['allPsd2'],
  ['availableAccounts'],
  ['availableAccountsWithBalance', 'availableAccountsWithBalances'],
  ['accounts', 'balances', 'transactions'],
];

/** A kind of the bank's own is one by itself. */
const kindsOf = ({ kindsOfAccess }: Dialect) =>
  kindsOfAccess.length === 0 ? KINDS : [...KINDS, ...kindsOfAccess.map((name) => [name])];

const membersWhere = (kinds: typeof KINDS, call: Call, holds: (value: unknown) => boolean): string[][] =>
  kinds
    .map((names) => names.filter((name) => holds(bodyMember(call, 'access', name))))
    .filter((found) => found.length > 0);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export default defineRule({
  id: 'consents/access-is-one-kind',
  statement:
    'access holds exactly one kind: allPsd2, availableAccounts, availableAccountsWithBalance(s), or a selection of accounts/balances/transactions; null members and empty lists beside a kind do not count (empty lists alone are a selection that the PSU makes at the bank)',
  clauses: ['consent-request.access', 'consent-scopes'],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'With a mixture, or nothing, it is not clear what the PSU consents to.',
  fix: 'Name one kind of access: allPsd2, a kind of availableAccounts, or lists of accounts. Each further kind needs a consent of its own.',
  examples: {
    complies: '"access":{"allPsd2":"allAccounts"}',
    violates: '"access":{"allPsd2":"allAccounts","balances":[{"iban":"BE68539007547034"}]}',
  },
  check: ({ call, options }) => {
    const access = bodyMember(call, 'access');
    if (!isObject(access)) return 'not-applicable';
    const known = kindsOf(options.dialect);
    const kinds = membersWhere(known, call, (value) => isPresent(value) && !isEmptyList(value));
    if (kinds.length === 1) return true;
    // Empty lists alone leave the selection to the PSU.
    if (kinds.length === 0 && membersWhere(known, call, isEmptyList).length > 0) return true;
    const actual = kinds.length === 0 ? 'no kind of access' : kinds.flat().join(', ');
    return violation(
      'body access',
      'one kind of access: allPsd2, availableAccounts…, or lists of accounts',
      actual,
    );
  },
});
