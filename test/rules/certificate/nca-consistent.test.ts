import rule from '../../../src/rules/certificate/nca-consistent.js';
import { aCertificate, organisation } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'the same authority': { call: { certificate: aCertificate() } } },
  violates: {
    'another authority': {
      call: { certificate: aCertificate({ ncaId: 'DE-BAFIN' }) },
      finds: [{ place: 'certificate nCAId', expected: 'BE-NBB', actual: 'DE-BAFIN' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'no nCAId': { call: { certificate: aCertificate({ ncaId: null }) } },
    'an identifier without authority': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('VATBE-0123456789') }) },
    },
    'no identifier': { call: { certificate: aCertificate({ organizationIdentifier: null }) } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
