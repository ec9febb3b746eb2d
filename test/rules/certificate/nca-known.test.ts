import rule from '../../../src/rules/certificate/nca-known.js';
import { aCertificate, organisation } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a published code', call: { certificate: aCertificate() } },
    {
      name: 'a variant of the field',
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDES-BDE-1') }) },
    },
  ],
  violates: [
    {
      name: 'a code of sandboxes',
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDNL-SBX-1234512345') }) },
      finds: [{ actual: 'NL-SBX' }],
    },
    {
      name: 'a code that nobody knows',
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDXX-NONE-1') }) },
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
    {
      name: 'an identifier without authority',
      call: { certificate: aCertificate({ organizationIdentifier: organisation('VATBE-0123456789') }) },
    },
    { name: 'no identifier', call: { certificate: aCertificate({ organizationIdentifier: null }) } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
