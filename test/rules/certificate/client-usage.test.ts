import rule from '../../../src/rules/certificate/client-usage.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'signature, client and server': { call: { certificate: aCertificate() } },
    'no extended key usage': { call: { certificate: aCertificate({ extendedKeyUsage: null }) } },
    'any usage': { call: { certificate: aCertificate({ extendedKeyUsage: ['2.5.29.37.0'] }) } },
  },
  violates: {
    'server only': {
      call: { certificate: aCertificate({ extendedKeyUsage: ['serverAuth'] }) },
      finds: [
        {
          place: 'certificate extended key usage',
          actual:
            'serverAuth: a certificate for web servers only, as CAs that browsers trust issue them now that the root programs of browsers end clientAuth (2026 and 2027)',
        },
      ],
    },
    'a 2-QWAC': {
      call: { certificate: aCertificate({ extendedKeyUsage: ['0.4.0.194115.1.0'] }) },
      finds: [
        {
          actual:
            '0.4.0.194115.1.0: a 2-QWAC, which vouches for another TLS certificate by a signature and is not for TLS itself',
        },
      ],
    },
    'another purpose': {
      call: { certificate: aCertificate({ extendedKeyUsage: ['codeSigning'] }) },
      finds: [{ actual: 'codeSigning' }],
    },
    'no signature': {
      call: { certificate: aCertificate({ keyUsage: ['keyEncipherment'] }) },
      finds: [{ place: 'certificate key usage' }],
    },
    'no key usage': {
      call: { certificate: aCertificate({ keyUsage: null }) },
      finds: [{ actual: 'absent' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
