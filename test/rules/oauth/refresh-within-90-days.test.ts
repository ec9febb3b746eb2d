import rule from '../../../src/rules/oauth/refresh-within-90-days.js';
import { NOW } from '../../builders.js';
import { aRefreshToken, ledgerOf } from '../ledger-of.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const DAY = 86_400_000;
const aged = (ms: number) => ledgerOf(aRefreshToken({ issuedAt: NOW - ms }));

testRule(rule, {
  complies: {
    'a new one': { call: refreshWith({}), ledger: aged(1) },
    '90 days': { call: refreshWith({}), ledger: aged(90 * DAY) },
  },
  violates: {
    'a millisecond more': { call: refreshWith({}), ledger: aged(90 * DAY + 1) },
    '91 days': {
      call: refreshWith({}),
      ledger: aged(91 * DAY),
      finds: [{ place: 'body refresh_token', actual: 'a refresh token issued at 2026-03-16T10:00:00.000Z' }],
    },
  },
  notApplicable: { 'a code': { call: exchangeWith({}) } },
  notObserved: { 'one that was never handed out': { call: refreshWith({}) } },
});
