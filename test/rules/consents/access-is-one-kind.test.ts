import rule from '../../../src/rules/consents/access-is-one-kind.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'allPsd2 alone': { call: consentWith({}) },
    'availableAccounts alone': { call: consentWith({ access: { availableAccounts: 'allAccounts' } }) },
    'both spellings of one kind': {
      call: consentWith({
        access: { availableAccountsWithBalance: 'allAccounts', availableAccountsWithBalances: 'allAccounts' },
      }),
    },
    'a selection': { call: consentWith({ access: { accounts: [], balances: [], transactions: [] } }) },
    'a part of a selection': { call: consentWith({ access: { balances: [{ iban: 'BE68539007547034' }] } }) },
    'null beside one kind': { call: consentWith({ access: { allPsd2: 'allAccounts', balances: null } }) },
    'empty lists beside one kind': {
      call: consentWith({
        access: { allPsd2: 'allAccounts', accounts: [], balances: [], transactions: [] },
      }),
    },
    'empty lists beside availableAccounts': {
      call: consentWith({ access: { availableAccounts: 'allAccounts', balances: [] } }),
    },
    'empty lists beside a part of a selection': {
      call: consentWith({ access: { accounts: [], balances: [{ iban: 'BE68539007547034' }] } }),
    },
    'additional information beside a selection': {
      call: consentWith({ access: { accounts: [], additionalInformation: { ownerName: [] } } }),
    },
  },
  violates: {
    'a global access with a selection': {
      call: consentWith({
        access: { allPsd2: 'allAccounts', accounts: [], balances: [{ iban: 'BE68539007547034' }] },
      }),
      finds: [{ place: 'body access', actual: 'allPsd2, balances' }],
    },
    'two global ones': {
      call: consentWith({ access: { allPsd2: 'allAccounts', availableAccounts: 'allAccounts' } }),
      finds: [{ actual: 'allPsd2, availableAccounts' }],
    },
    none: { call: consentWith({ access: {} }), finds: [{ actual: 'no kind of access' }] },
    'only null': {
      call: consentWith({ access: { allPsd2: null } }),
      finds: [{ actual: 'no kind of access' }],
    },
    'another letter case': { call: consentWith({ access: { allpsd2: 'allAccounts' } }) },
  },
  notApplicable: {
    'no access': { call: consentWith({ access: undefined }) },
    'an access that is no object': { call: consentWith({ access: 'allPsd2' }) },
    'no body': { call: { operation: 'consents.create' } },
  },
});
