import rule from '../../../src/rules/certificate/not-revoked.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'not on the list': { call: { certificate: aCertificate() } } },
  violates: {
    'on the list': {
      call: {
        certificate: aCertificate({ revocation: { status: 'revoked', since: '2026-05-01T00:00:00Z' } }),
      },
      finds: [{ actual: 'revoked since 2026-05-01T00:00:00Z' }],
    },
    'on the list without a date': {
      call: { certificate: aCertificate({ revocation: { status: 'revoked' } }) },
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: {
    'a recording without certificates': { call: { certificate: 'not-observed' } },
    'no list is configured': {
      call: { certificate: aCertificate({ revocation: { status: 'not-checked' } }) },
    },
  },
});
