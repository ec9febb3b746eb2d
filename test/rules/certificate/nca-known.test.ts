import rule from '../../../src/rules/certificate/nca-known.js';
import { aCertificate, organisation } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a published code': { call: { certificate: aCertificate() } },
    'a variant of the field': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDES-BDE-1') }) },
    },
  },
  violates: {
    'a code of sandboxes': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDNL-SBX-1234512345') }) },
      finds: [{ actual: 'NL-SBX' }],
    },
    'a code that nobody knows': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDXX-NONE-1') }) },
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'an identifier without authority': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('VATBE-0123456789') }) },
    },
    'no identifier': { call: { certificate: aCertificate({ organizationIdentifier: null }) } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
