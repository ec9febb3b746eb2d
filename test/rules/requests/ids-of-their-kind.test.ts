import rule from '../../../src/rules/requests/ids-of-their-kind.js';
import { fingerprint, NOW, OTHER_TPP, TPP } from '../../builders.js';
import { aConsent, aPayment, CONSENT, ledgerOf, PAYMENT } from '../ledger-of.js';

import { testRule } from '../rule-tester.js';

const TOKEN = 'access-token-of-the-tests';
const aToken = {
  family: 'tokens',
  key: fingerprint(TOKEN),
  fact: {
    token: fingerprint(TOKEN),
    tpp: TPP,
    scope: `AIS:${CONSENT}`,
    issuedAt: NOW - 60_000,
    expiresAt: NOW + 3_600_000,
  },
} as const;
const known = () => ledgerOf(aConsent(), aPayment(), aToken);
const reads = (consentId: string, token = TOKEN) =>
  ({
    operation: 'accounts.list',
    headers: { 'Consent-Id': consentId, Authorization: `Bearer ${token}` },
  }) as const;
const consent = (consentId: string) => ({ operation: 'consents.status', params: { consentId } }) as const;
const payment = (paymentId: string, headers = {}) =>
  ({ operation: 'payments.status', params: { paymentId }, headers }) as const;

testRule(rule, {
  complies: {
    'each in its place': { call: reads(CONSENT), ledger: known() },
    'ids and tokens that were not seen': { call: reads('another', 'another'), ledger: known() },
    'the consent in the path': { call: consent(CONSENT), ledger: known() },
    'a payment in the path that was not seen': { call: payment('another'), ledger: known() },
    'a consent named like a GUID of a program': { call: reads('{0B6E1C52-6A39-4F0E-9D1C-7F3A52C4E801}') },
    'the payment of another TPP, of which nothing is told': {
      call: reads(PAYMENT),
      ledger: ledgerOf(aPayment({ tpp: OTHER_TPP })),
    },
    'an id that is of both kinds': {
      call: reads('7'),
      ledger: ledgerOf(aConsent({ id: '7' }), aPayment({ id: '7' })),
    },
    'another Consent-Id on a payment call, which another rule names': {
      call: payment(PAYMENT, { 'Consent-Id': 'undefined' }),
      ledger: known(),
    },
  },
  violates: {
    'the id of a payment as Consent-Id': {
      call: reads(PAYMENT),
      ledger: known(),
      finds: [{ place: 'header Consent-Id', actual: `the id of a payment, ${PAYMENT}` }],
    },
    'the id of a consent as that of a payment': {
      call: payment(CONSENT),
      ledger: known(),
      finds: [{ place: 'path paymentId', actual: `the id of a consent, ${CONSENT}` }],
    },
    'the id of a payment as that of a consent': {
      call: consent(PAYMENT),
      ledger: known(),
      finds: [{ place: 'path consentId' }],
    },
    'token and consent id swapped': {
      call: reads(TOKEN, CONSENT),
      ledger: known(),
      finds: [
        { place: 'header Authorization', actual: 'the id of a consent or payment' },
        { place: 'header Consent-Id', actual: 'an access token' },
      ],
    },
    'token and consent id swapped, in a recording': {
      call: reads(TOKEN, fingerprint(CONSENT)),
      ledger: known(),
      finds: [{ place: 'header Authorization' }, { place: 'header Consent-Id' }],
    },
    'the consent id as token too': {
      call: reads(CONSENT, CONSENT),
      ledger: known(),
      finds: [{ place: 'header Authorization' }],
    },
    'a token that is undefined': {
      call: reads(CONSENT, 'undefined'),
      ledger: known(),
      finds: [{ place: 'header Authorization', actual: 'the placeholder undefined' }],
    },
    'a consent that is null': { call: reads('null'), ledger: known() },
    'a template in the path': { call: payment('{{paymentId}}'), ledger: known() },
    'Consent-Id twice': {
      call: {
        operation: 'accounts.list',
        headerList: [
          ['Consent-Id', CONSENT],
          ['Consent-Id', CONSENT],
        ],
      },
      ledger: known(),
      finds: [{ place: 'header Consent-Id', actual: 'several values' }],
    },
  },
  notObserved: {
    'a token in a recording that nobody gave out there': {
      call: reads(CONSENT, fingerprint('undefined')),
      ledger: known(),
    },
  },
});
