/** Which bank a call of the living one is for: what it is on decides, not what it says besides. */
import { expect, it } from 'vitest';
import { namesFixed } from '../../../src/answer/living/names-fixed.js';
import { dialectOf } from '../../../src/spec/index.js';
import { aCall, type CallParts } from '../../builders.js';

const OWN = '3952abd8-db47-4c3a-80f1-bf7f6f29ccd5';
const FIXED_AUTHORISATION = '11111111-1111-1111-1111-111111111111';
const with_ = (id: string) => ({ 'Consent-Id': id });

it.each<[string, CallParts]>([
  ['a consent', { operation: 'consents.read', params: { consentId: 'VALID_CONSENT_ID' } }],
  ['a payment', { operation: 'payments.read', params: { paymentId: 'PAYMENT_ID_ACSC_SCT' } }],
  ['the consent of accounts', { operation: 'accounts.list', headers: with_('VALID_CONSENT_ID') }],
  ['an authorisation', { operation: 'oauth.authorize', params: { authorisationId: FIXED_AUTHORISATION } }],
  ['a document', { operation: 'oauth.discovery', query: `authorizationId=${FIXED_AUTHORISATION}` }],
  [
    'a scope',
    { operation: 'oauth.authorize', params: { authorisationId: OWN }, query: 'scope=AIS:VALID_CONSENT_ID' },
  ],
  ['a code', { operation: 'oauth.token', form: { code: 'AIS_VALID_CODE' } }],
])('is the sandbox where the specification has %s', (_, call) => {
  expect(namesFixed(aCall(call), dialectOf())).toBe(true);
});

it.each<[string, CallParts]>([
  [
    'a consent with a fixed authorisation',
    {
      operation: 'consents.authorisations.read',
      params: { consentId: OWN, authorisationId: FIXED_AUTHORISATION },
    },
  ],
  [
    'a payment with a fixed authorisation',
    {
      operation: 'payments.authorisations.read',
      params: { paymentId: OWN, authorisationId: FIXED_AUTHORISATION },
    },
  ],
  [
    'a payment, whatever Consent-Id says',
    { operation: 'payments.read', params: { paymentId: OWN }, headers: with_('VALID_CONSENT_ID') },
  ],
  [
    'a consent, whatever Consent-Id says',
    { operation: 'consents.read', params: { consentId: OWN }, headers: with_('VALID_CONSENT_ID') },
  ],
  [
    'a creation, whatever Consent-Id says',
    { operation: 'payments.create', headers: with_('VALID_CONSENT_ID') },
  ],
  ['the consent of accounts', { operation: 'accounts.list', headers: with_(OWN) }],
])('is the living bank for %s of its own', (_, call) => {
  expect(namesFixed(aCall(call), dialectOf())).toBe(false);
});
