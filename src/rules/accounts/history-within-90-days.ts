/** Old transactions are not asked for without the right to them. */
import { queryValue } from '../../exchange/index.js';
import { daysBetween, LIMITS } from '../../spec/index.js';
import { todayOf } from '../checks/today.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'accounts/history-within-90-days',
  statement: 'Transactions older than 90 days are asked for only while the access right to them lasts',
  clauses: ['limits.3', 'errors.5'],
  sources: ['RTS 10'],
  judges: 'tpp',
  severity: { sandbox: 'should', production: 'should' },
  scope: 'call',
  appliesTo: ['accounts.transactions'],
  needs: [],
  refusal: null,
  why: 'Transactions older than 90 days need a fresh authorisation by the PSU; the bank refuses them otherwise.',
  fix: 'Ask for 90 days at most, counted in days and not in months; read older ones right after the SCA.',
  examples: { complies: 'dateFrom 90 days ago', violates: 'dateFrom three months ago, which are 92 days' },
  check: ({ call, options }) => {
    const from = queryValue(call, 'dateFrom');
    if (from === undefined) return 'not-applicable';
    const { earliest } = todayOf(call.at, options);
    const days = daysBetween(from, earliest);
    if (Number.isNaN(days)) return 'not-applicable';
    return (
      days <= LIMITS.transactionHistoryDays || {
        place: 'query dateFrom',
        expected: `at most ${LIMITS.transactionHistoryDays} days before ${earliest}`,
        actual: `${from}, ${days} days before`,
      }
    );
  },
});
