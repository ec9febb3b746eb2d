import rule from '../../../src/rules/certificate/not-blocked.js';
import { aCertificate, OTHER_TPP, TPP } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'nobody is blocked': {},
    'another one is blocked': { options: { blockedOrganisations: new Set([OTHER_TPP]) } },
  },
  violates: {
    'this one is blocked': { options: { blockedOrganisations: new Set([TPP]) }, finds: [{ actual: TPP }] },
  },
  notApplicable: {
    'a certificate without organisation': {
      call: { certificate: aCertificate({ organizationIdentifier: null }) },
    },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
