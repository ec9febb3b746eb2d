import rule from '../../../src/rules/certificate/psd2-statement-encoding.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [{ name: 'by the book', call: { certificate: aCertificate() } }],
  violates: [
    {
      name: 'other-strings',
      call: { certificate: aCertificate({ encoding: 'other-strings' }) },
      finds: [{ actual: 'other-strings' }],
    },
    {
      name: 'flat-roles',
      call: { certificate: aCertificate({ encoding: 'flat-roles' }) },
      finds: [{ actual: 'flat-roles' }],
    },
    {
      name: 'bare-statement',
      call: { certificate: aCertificate({ encoding: 'bare-statement' }) },
      finds: [{ actual: 'bare-statement' }],
    },
    {
      name: 'no-roles-wrapper',
      call: { certificate: aCertificate({ encoding: 'no-roles-wrapper' }) },
      finds: [{ actual: 'no-roles-wrapper' }],
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
    { name: 'there is no statement', call: { certificate: aCertificate({ encoding: 'absent' }) } },
    { name: 'it cannot be read', call: { certificate: aCertificate({ encoding: 'unreadable' }) } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
