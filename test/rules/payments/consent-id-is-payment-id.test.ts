import rule from '../../../src/rules/payments/consent-id-is-payment-id.js';
import type { CallParts } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const status = (headers: Record<string, string>): CallParts => ({ operation: 'payments.status', headers });

testRule(rule, {
  complies: {
    'the id of the payment': { call: status({ 'Consent-Id': 'PAYMENT_ID_RCVD_SCT' }) },
    'another letter case of the header': { call: status({ 'CONSENT-ID': 'PAYMENT_ID_RCVD_SCT' }) },
  },
  violates: {
    'the id of a consent': {
      call: status({ 'Consent-Id': 'VALID_CONSENT_ID' }),
      finds: [{ place: 'header Consent-Id', expected: 'PAYMENT_ID_RCVD_SCT', actual: 'VALID_CONSENT_ID' }],
    },
    'an empty header': { call: status({ 'Consent-Id': '' }), finds: [{ actual: 'an empty value' }] },
  },
  notApplicable: {
    'no header': { call: status({}) },
    'an initiation in the session of a consent': {
      call: { operation: 'payments.create', headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
    },
  },
});
