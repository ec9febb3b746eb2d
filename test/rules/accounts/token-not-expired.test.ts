import rule from '../../../src/rules/accounts/token-not-expired.js';
import { NOW } from '../../builders.js';
import { aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'at its last moment': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken({ expiresAt: NOW + 1 }) }),
    },
  },
  violates: {
    'at its end': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken({ expiresAt: NOW }) }),
      finds: [{ place: 'header Authorization', actual: 'a token that expired at 2026-06-15T10:00:00.000Z' }],
    },
  },
  notApplicable: { 'an unknown token': { call: { operation: 'accounts.list', headers: BEARER } } },
});
