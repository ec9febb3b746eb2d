import rule from '../../../src/rules/requests/header-lengths.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'at the maximum': {
      call: { headers: { 'PSU-ID': 'x'.repeat(50), 'TPP-Redirect-URI': 'x'.repeat(500) } },
    },
  },
  violates: {
    'one more': {
      call: { headers: { 'PSU-ID': 'x'.repeat(51) } },
      finds: [{ place: 'header PSU-ID', expected: 'at most 50 characters', actual: '51 characters' }],
    },
    'two of them': {
      call: {
        headers: { 'TPP-Redirect-URI': 'x'.repeat(501), 'TPP-Brand-Logging-Information': 'x'.repeat(256) },
      },
      finds: [{ place: 'header TPP-Redirect-URI' }, { place: 'header TPP-Brand-Logging-Information' }],
    },
  },
  notApplicable: { 'none of them is there': {} },
});
