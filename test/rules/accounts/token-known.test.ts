import rule from '../../../src/rules/accounts/token-known.js';
import { aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'issued here': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken() }),
    },
  },
  violates: {
    'never issued': {
      call: { operation: 'accounts.list', headers: BEARER },
      finds: [{ place: 'header Authorization' }],
    },
  },
  notApplicable: { 'no token': { call: { operation: 'accounts.list' } } },
  notObserved: {
    'a recording without certificates may have begun later': {
      call: { operation: 'accounts.list', headers: BEARER, certificate: 'not-observed' },
    },
  },
});
