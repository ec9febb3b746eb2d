import rule from '../../../src/rules/answers/token-scope-names-resource.js';
import { aCode, aRefreshToken, CONSENT, ledgerOf } from '../ledger-of.js';
import { CODE, exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.token' } as const;

testRule(rule, {
  complies: {
    'a consent': { call, answer: { body: { scope: 'AIS:VALID_CONSENT_ID' } } },
    'a payment': { call, answer: { body: { scope: 'PIS:PAYMENT_ID_RCVD_SCT' } } },
    'the consent whose authorisation gave the code': {
      call: exchangeWith({}),
      answer: { body: { scope: `AIS:${CONSENT}` } },
      ledger: ledgerOf(aCode(CODE, { scope: `AIS:${CONSENT}` })),
    },
    'any consent for a literal code, which serves all of them': {
      call: exchangeWith({ code: 'AIS_VALID_CODE' }),
      answer: { body: { scope: 'AIS:C2' } },
      ledger: ledgerOf(aCode('AIS_VALID_CODE', { scope: 'AIS:C1' })),
    },
    'a consent for funds': { call, answer: { body: { scope: 'PIIS:C1' } } },
  },
  violates: {
    'the service alone': {
      call,
      answer: { body: { scope: 'AIS' } },
      finds: [{ place: 'answer body scope', actual: 'AIS' }],
    },
    'no id': { call, answer: { body: { scope: 'AIS:' } } },
    'another service': { call, answer: { body: { scope: 'accounts:C1' } } },
    'another consent than that of the code': {
      call: exchangeWith({}),
      answer: { body: { scope: 'AIS:C2' } },
      ledger: ledgerOf(aCode(CODE, { scope: 'AIS:C1' })),
      finds: [{ place: 'answer body scope', expected: 'AIS:C1, which the PSU authorised', actual: 'AIS:C2' }],
    },
    'another consent than that of the refresh token': {
      call: refreshWith({}),
      answer: { body: { scope: 'AIS:C2' } },
      ledger: ledgerOf(aRefreshToken({ scope: 'AIS:C1' })),
    },
    'two scopes': { call, answer: { body: { scope: 'AIS:C1 offline_access' } } },
  },
  notApplicable: {
    'no scope is another finding': { call, answer: { body: {} } },
    'an error': { call, answer: { status: 400, body: { scope: 'AIS' } } },
  },
});
