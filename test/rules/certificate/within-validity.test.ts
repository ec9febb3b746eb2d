import rule from '../../../src/rules/certificate/within-validity.js';
import { aCertificate, NOW } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'in the middle of it', call: { certificate: aCertificate() } },
    {
      name: 'at its last moment',
      call: { certificate: aCertificate({ notAfter: new Date(NOW).toISOString() }) },
    },
    {
      name: 'at its first moment',
      call: { certificate: aCertificate({ notBefore: new Date(NOW).toISOString() }) },
    },
  ],
  violates: [
    {
      name: 'expired a second ago',
      call: { certificate: aCertificate({ notAfter: new Date(NOW - 1_000).toISOString() }) },
      finds: [{ place: 'certificate validity' }],
    },
    {
      name: 'valid from tomorrow',
      call: { certificate: aCertificate({ notBefore: new Date(NOW + 86_400_000).toISOString() }) },
      finds: [{ refusal: { code: 'CERTIFICATE_INVALID' } }],
    },
    { name: 'dates that cannot be read', call: { certificate: aCertificate({ notAfter: 'never' }) } },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
