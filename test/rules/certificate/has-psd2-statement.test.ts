import rule from '../../../src/rules/certificate/has-psd2-statement.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'encoded by the book': { call: { certificate: aCertificate() } },
    'encoded otherwise': { call: { certificate: aCertificate({ encoding: 'flat-roles' }) } },
  },
  violates: {
    absent: {
      call: { certificate: aCertificate({ encoding: 'absent', roles: [] }) },
      finds: [{ actual: 'absent' }],
    },
    unreadable: {
      call: { certificate: aCertificate({ encoding: 'unreadable', roles: [] }) },
      finds: [{ actual: 'unreadable' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
