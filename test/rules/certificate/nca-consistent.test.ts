import rule from '../../../src/rules/certificate/nca-consistent.js';
import { aCertificate, organisation } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [{ name: 'the same authority', call: { certificate: aCertificate() } }],
  violates: [
    {
      name: 'another authority',
      call: { certificate: aCertificate({ ncaId: 'DE-BAFIN' }) },
      finds: [{ place: 'certificate nCAId', expected: 'BE-NBB', actual: 'DE-BAFIN' }],
    },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
    { name: 'no nCAId', call: { certificate: aCertificate({ ncaId: null }) } },
    {
      name: 'an identifier without authority',
      call: { certificate: aCertificate({ organizationIdentifier: organisation('VATBE-0123456789') }) },
    },
    { name: 'no identifier', call: { certificate: aCertificate({ organizationIdentifier: null }) } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
