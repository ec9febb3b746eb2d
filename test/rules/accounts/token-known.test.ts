import rule from '../../../src/rules/accounts/token-known.js';
import { aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    {
      name: 'issued here',
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken() }),
    },
  ],
  violates: [
    {
      name: 'never issued',
      call: { operation: 'accounts.list', headers: BEARER },
      finds: [{ place: 'header Authorization' }],
    },
  ],
  notApplicable: [{ name: 'no token', call: { operation: 'accounts.list' } }],
  notObserved: [
    {
      name: 'a recording without certificates may have begun later',
      call: { operation: 'accounts.list', headers: BEARER, certificate: 'not-observed' },
    },
  ],
});
