import rule from '../../../src/rules/certificate/issued-by-trusted-ca.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [{ name: 'a chain to an anchor', call: { certificate: aCertificate() } }],
  violates: [
    {
      name: 'an unknown issuer',
      call: {
        certificate: aCertificate({ chain: { trusted: false, reason: 'Issued by nobody known.', path: [] } }),
      },
      finds: [{ actual: 'none. Issued by nobody known.' }],
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
