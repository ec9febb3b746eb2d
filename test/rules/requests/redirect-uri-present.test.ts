import rule from '../../../src/rules/requests/redirect-uri-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a consent': {
      call: { operation: 'consents.create', headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb' } },
    },
    'a payment': {
      call: { operation: 'payments.create', headers: { 'tpp-redirect-uri': 'https://tpp.example/cb' } },
    },
  },
  violates: {
    absent: {
      call: { operation: 'consents.create' },
      finds: [{ place: 'header TPP-Redirect-URI', actual: 'absent' }],
    },
    empty: {
      call: { operation: 'payments.create', headers: { 'TPP-Redirect-URI': '' } },
      finds: [{ actual: 'empty' }],
    },
  },
  notApplicable: { 'a read': { call: { operation: 'consents.read' } } },
});
