import rule from '../../../src/rules/consents/access-is-one-kind.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'allPsd2 alone', call: consentWith({}) },
    { name: 'availableAccounts alone', call: consentWith({ access: { availableAccounts: 'allAccounts' } }) },
    {
      name: 'both spellings of one kind',
      call: consentWith({
        access: { availableAccountsWithBalance: 'allAccounts', availableAccountsWithBalances: 'allAccounts' },
      }),
    },
    { name: 'a selection', call: consentWith({ access: { accounts: [], balances: [], transactions: [] } }) },
    {
      name: 'a part of a selection',
      call: consentWith({ access: { balances: [{ iban: 'BE68539007547034' }] } }),
    },
    {
      name: 'null beside one kind',
      call: consentWith({ access: { allPsd2: 'allAccounts', balances: null } }),
    },
    {
      name: 'empty lists beside one kind',
      call: consentWith({
        access: { allPsd2: 'allAccounts', accounts: [], balances: [], transactions: [] },
      }),
    },
    {
      name: 'empty lists beside availableAccounts',
      call: consentWith({ access: { availableAccounts: 'allAccounts', balances: [] } }),
    },
    {
      name: 'empty lists beside a part of a selection',
      call: consentWith({ access: { accounts: [], balances: [{ iban: 'BE68539007547034' }] } }),
    },
    {
      name: 'additional information beside a selection',
      call: consentWith({ access: { accounts: [], additionalInformation: { ownerName: [] } } }),
    },
  ],
  violates: [
    {
      name: 'a global access with a selection',
      call: consentWith({
        access: { allPsd2: 'allAccounts', accounts: [], balances: [{ iban: 'BE68539007547034' }] },
      }),
      finds: [{ place: 'body access', actual: 'allPsd2, balances' }],
    },
    {
      name: 'two global ones',
      call: consentWith({ access: { allPsd2: 'allAccounts', availableAccounts: 'allAccounts' } }),
      finds: [{ actual: 'allPsd2, availableAccounts' }],
    },
    { name: 'none', call: consentWith({ access: {} }), finds: [{ actual: 'no kind of access' }] },
    {
      name: 'only null',
      call: consentWith({ access: { allPsd2: null } }),
      finds: [{ actual: 'no kind of access' }],
    },
    { name: 'another letter case', call: consentWith({ access: { allpsd2: 'allAccounts' } }) },
  ],
  notApplicable: [
    { name: 'no access', call: consentWith({ access: undefined }) },
    { name: 'an access that is no object', call: consentWith({ access: 'allPsd2' }) },
    { name: 'no body', call: { operation: 'consents.create' } },
  ],
});
