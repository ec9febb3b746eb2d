import rule from '../../../src/rules/consents/access-value.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'allPsd2 of all accounts': { call: consentWith({}) },
    'a sibling of all accounts': {
      call: consentWith({ access: { availableAccountsWithBalances: 'allAccounts' } }),
    },
    'a sibling with the names of owners': {
      call: consentWith({ access: { availableAccounts: 'allAccountsWithOwnerName' } }),
    },
  },
  violates: {
    'another value': {
      call: consentWith({ access: { allPsd2: 'all' } }),
      finds: [{ place: 'body access.allPsd2', expected: 'allAccounts', actual: 'all' }],
    },
    'another letter case in a sibling': {
      call: consentWith({ access: { availableAccounts: 'AllAccounts' } }),
      finds: [{ place: 'body access.availableAccounts' }],
    },
    'an empty value': {
      call: consentWith({ access: { allPsd2: '' } }),
      finds: [{ actual: 'an empty string' }],
    },
    'the names of owners in allPsd2, of which the specification names one value': {
      call: consentWith({ access: { allPsd2: 'allAccountsWithOwnerName' } }),
      finds: [{ place: 'body access.allPsd2', expected: 'allAccounts' }],
    },
  },
  notApplicable: {
    'a selection': { call: consentWith({ access: { accounts: [] } }) },
    'another type, which another rule judges': { call: consentWith({ access: { allPsd2: true } }) },
  },
});
