import rule from '../../../src/rules/certificate/client-usage.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'signature, client and server', call: { certificate: aCertificate() } },
    { name: 'no extended key usage', call: { certificate: aCertificate({ extendedKeyUsage: null }) } },
    { name: 'any usage', call: { certificate: aCertificate({ extendedKeyUsage: ['2.5.29.37.0'] }) } },
  ],
  violates: [
    {
      name: 'server only',
      call: { certificate: aCertificate({ extendedKeyUsage: ['serverAuth'] }) },
      finds: [{ place: 'certificate extended key usage', actual: 'serverAuth' }],
    },
    {
      name: 'no signature',
      call: { certificate: aCertificate({ keyUsage: ['keyEncipherment'] }) },
      finds: [{ place: 'certificate key usage' }],
    },
    {
      name: 'no key usage',
      call: { certificate: aCertificate({ keyUsage: null }) },
      finds: [{ actual: 'absent' }],
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
