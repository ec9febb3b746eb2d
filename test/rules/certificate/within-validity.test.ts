import rule from '../../../src/rules/certificate/within-validity.js';
import { aCertificate, NOW } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'in the middle of it': { call: { certificate: aCertificate() } },
    'at its last moment': { call: { certificate: aCertificate({ notAfter: new Date(NOW).toISOString() }) } },
    'at its first moment': {
      call: { certificate: aCertificate({ notBefore: new Date(NOW).toISOString() }) },
    },
  },
  violates: {
    'expired a second ago': {
      call: { certificate: aCertificate({ notAfter: new Date(NOW - 1_000).toISOString() }) },
      finds: [{ place: 'certificate validity' }],
    },
    'valid from tomorrow': {
      call: { certificate: aCertificate({ notBefore: new Date(NOW + 86_400_000).toISOString() }) },
      finds: [{ refusal: { code: 'CERTIFICATE_INVALID' } }],
    },
    'dates that cannot be read': { call: { certificate: aCertificate({ notAfter: 'never' }) } },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
