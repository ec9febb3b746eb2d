import rule from '../../../src/rules/accounts/token-belongs-to-consent.js';
import { aConsent, aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'the same consent': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken() }),
    },
  },
  violates: {
    'another consent': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent(), tokens: aToken({ scope: 'AIS:C2' }) }),
      finds: [{ expected: 'a token with scope AIS:C1', actual: 'a token with scope AIS:C2' }],
    },
    'the token of a payment': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent(), tokens: aToken({ scope: 'PIS:C1' }) }),
    },
  },
  notApplicable: {
    'a consent that this TPP never created: accounts/consent-known': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken({ scope: 'AIS:C2' }) }),
    },
    'an unknown token': { call: { operation: 'accounts.list', headers: BEARER } },
    'no consent': {
      call: { operation: 'accounts.list', headers: { ...BEARER, 'Consent-Id': undefined } },
      ledger: aLedger({ tokens: aToken() }),
    },
  },
  notObserved: {
    'nobody said what the token is for': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent(), tokens: aToken({ scope: '' }) }),
    },
  },
});
