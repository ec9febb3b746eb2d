import rule from '../../../src/rules/certificate/issued-by-trusted-ca.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'a chain to an anchor': { call: { certificate: aCertificate() } } },
  violates: {
    'an unknown issuer': {
      call: {
        certificate: aCertificate({ chain: { trusted: false, reason: 'Issued by nobody known.', path: [] } }),
      },
      finds: [{ actual: 'not trusted: Issued by nobody known' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
