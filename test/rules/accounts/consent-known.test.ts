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
    'created by another certificate of the TPP, at a bank that binds consents to it': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ consents: aConsent({ certificate: 'another' }) }),
      bank: { access: { boundTo: 'certificate' } },
      finds: [{ place: 'header Consent-Id', expected: 'a consent that this certificate created' }],
    },
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
    'token and consent are of another certificate, which accounts/token-belongs-to-tpp names': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({
        consents: aConsent({ certificate: 'another' }),
        tokens: aToken({ certificate: 'another' }),
      }),
      bank: { access: { boundTo: 'certificate' } },
    },
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
