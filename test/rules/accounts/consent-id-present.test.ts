import rule from '../../../src/rules/accounts/consent-id-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    present: { call: { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } } },
    'in other letters': { call: { operation: 'accounts.balances', headers: { 'CONSENT-ID': 'C1' } } },
  },
  violates: {
    absent: {
      call: { operation: 'accounts.list' },
      finds: [{ place: 'header Consent-Id', actual: 'absent' }],
    },
    empty: {
      call: { operation: 'accounts.read', headers: { 'Consent-Id': '' } },
      finds: [{ actual: 'empty' }],
    },
  },
  notApplicable: { 'no account read': { call: { operation: 'consents.read' } } },
});
