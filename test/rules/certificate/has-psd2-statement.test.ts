import rule from '../../../src/rules/certificate/has-psd2-statement.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'encoded by the book', call: { certificate: aCertificate() } },
    { name: 'encoded otherwise', call: { certificate: aCertificate({ encoding: 'flat-roles' }) } },
  ],
  violates: [
    {
      name: 'absent',
      call: { certificate: aCertificate({ encoding: 'absent', roles: [] }) },
      finds: [{ actual: 'absent' }],
    },
    {
      name: 'unreadable',
      call: { certificate: aCertificate({ encoding: 'unreadable', roles: [] }) },
      finds: [{ actual: 'unreadable' }],
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
