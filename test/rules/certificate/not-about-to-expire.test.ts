import rule from '../../../src/rules/certificate/not-about-to-expire.js';
import { aCertificate, NOW } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    '300 days': { call: { certificate: aCertificate() } },
    '30 days': {
      call: { certificate: aCertificate({ notAfter: new Date(NOW + 30 * 86_400_000).toISOString() }) },
    },
  },
  violates: {
    'a bank binds tokens to it': {
      call: { certificate: aCertificate({ notAfter: new Date(NOW + 5 * 86_400_000).toISOString() }) },
      bank: { access: { boundTo: 'certificate' } },
      finds: [{ actual: '5 more days, and tokens and consents of this bank end with it' }],
    },
    'a little less than 30 days': {
      call: {
        certificate: aCertificate({ notAfter: new Date(NOW + 30 * 86_400_000 - 1_000).toISOString() }),
      },
      finds: [{ actual: '29 more days' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'expired already': {
      call: { certificate: aCertificate({ notAfter: new Date(NOW - 1_000).toISOString() }) },
    },
    'a date that cannot be read': { call: { certificate: aCertificate({ notAfter: 'never' }) } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
