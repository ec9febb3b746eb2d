import rule from '../../../src/rules/accounts/consent-known.js';
import { OTHER_TPP } from '../../builders.js';
import { aConsent, aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const sandboxId = { operation: 'accounts.list' as const, headers: { 'Consent-Id': 'VALID_CONSENT_ID' } };

testRule(rule, {
  complies: {
    'created by this TPP': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent() }),
    },
    'a sandbox id': { call: sandboxId },
    'a sandbox id that this TPP created, in production': {
      call: sandboxId,
      ledger: aLedger({ consents: aConsent({ id: 'VALID_CONSENT_ID' }) }),
      options: { profile: 'production' },
    },
  },
  violates: {
    'never created': {
      call: { operation: 'accounts.list', headers: BEARER },
      finds: [{ place: 'header Consent-Id', actual: 'C1' }],
    },
    'created by another TPP': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent({ tpp: OTHER_TPP }) }),
    },
    'a sandbox id in production': { call: sandboxId, options: { profile: 'production' } },
  },
  notApplicable: {
    'no consent id': { call: { operation: 'accounts.list' } },
    'token and consent of another TPP: accounts/token-belongs-to-tpp': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent({ tpp: OTHER_TPP }), tokens: aToken({ tpp: OTHER_TPP }) }),
    },
  },
  notObserved: {
    'a recording without certificates': {
      call: { operation: 'accounts.list', headers: BEARER, certificate: 'not-observed' },
    },
  },
});
