import rule from '../../../src/rules/certificate/role-names-match.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'the names of the OIDs': { call: { certificate: aCertificate() } },
    'an OID that nobody knows beside a known role': {
      call: {
        certificate: aCertificate({
          roles: [
            { oid: '0.4.0.19495.1.3', name: 'PSP_AI', role: 'PSP_AI' },
            { oid: '1.2.3', name: 'ANY', role: null },
          ],
        }),
      },
    },
  },
  violates: {
    swapped: {
      call: {
        certificate: aCertificate({ roles: [{ oid: '0.4.0.19495.1.1', name: 'PSP_PI', role: 'PSP_AS' }] }),
      },
      finds: [{ place: 'certificate role 0.4.0.19495.1.1', expected: 'PSP_AS', actual: 'PSP_PI' }],
    },
    'in words': {
      call: {
        certificate: aCertificate({
          roles: [{ oid: '0.4.0.19495.1.3', name: 'Account Information', role: 'PSP_AI' }],
        }),
      },
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'no roles': { call: { certificate: aCertificate({ roles: [] }) } },
    'only an OID that nobody knows': {
      call: { certificate: aCertificate({ roles: [{ oid: '1.2.3', name: 'ANY', role: null }] }) },
    },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
