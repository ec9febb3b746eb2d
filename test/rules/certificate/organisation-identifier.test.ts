import rule from '../../../src/rules/certificate/organisation-identifier.js';
import { aCertificate, organisation } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'of the PSD2 form': { call: { certificate: aCertificate() } },
    'a number with hyphens': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('PSDFI-FINFSA-2858394-9') }) },
    },
  },
  violates: {
    'a VAT number': {
      call: { certificate: aCertificate({ organizationIdentifier: organisation('VATBE-0123456789') }) },
      finds: [{ actual: 'VATBE-0123456789' }],
    },
    none: {
      call: { certificate: aCertificate({ organizationIdentifier: null }) },
      finds: [{ actual: 'absent' }],
    },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
