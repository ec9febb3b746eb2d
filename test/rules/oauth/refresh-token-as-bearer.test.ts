import rule from '../../../src/rules/oauth/refresh-token-as-bearer.js';
import { fingerprint, OTHER_TPP } from '../../builders.js';
import { aRefreshToken, ledgerOf, REFRESH_TOKEN } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const withBearer = (token: string) =>
  ({ operation: 'accounts.list', headers: { Authorization: `Bearer ${token}` } }) as const;

testRule(rule, {
  complies: {
    'a token that nobody gave out here': { call: withBearer('another'), ledger: ledgerOf(aRefreshToken()) },
    'a refresh token of another TPP, of which nothing is told': {
      call: withBearer(REFRESH_TOKEN),
      ledger: ledgerOf(aRefreshToken({ tpp: OTHER_TPP })),
    },
  },
  violates: {
    'the refresh token': {
      call: withBearer(REFRESH_TOKEN),
      ledger: ledgerOf(aRefreshToken()),
      finds: [{ place: 'header Authorization', actual: 'a refresh token' }],
    },
    'the refresh token, where more was known before': {
      call: withBearer(fingerprint(REFRESH_TOKEN)),
      ledger: Object.assign(ledgerOf(aRefreshToken()), { beganLater: true }),
    },
  },
  notApplicable: { 'no bearer': { call: { operation: 'accounts.list' } } },
});
