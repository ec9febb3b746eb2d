import rule from '../../../src/rules/consents/access-value.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'allPsd2 of all accounts', call: consentWith({}) },
    {
      name: 'a sibling of all accounts',
      call: consentWith({ access: { availableAccountsWithBalances: 'allAccounts' } }),
    },
  ],
  violates: [
    {
      name: 'another value',
      call: consentWith({ access: { allPsd2: 'all' } }),
      finds: [{ place: 'body access.allPsd2', expected: 'allAccounts', actual: 'all' }],
    },
    {
      name: 'another letter case in a sibling',
      call: consentWith({ access: { availableAccounts: 'AllAccounts' } }),
      finds: [{ place: 'body access.availableAccounts' }],
    },
    {
      name: 'an empty value',
      call: consentWith({ access: { allPsd2: '' } }),
      finds: [{ actual: 'an empty string' }],
    },
  ],
  notApplicable: [
    { name: 'a selection', call: consentWith({ access: { accounts: [] } }) },
    { name: 'another type, which another rule judges', call: consentWith({ access: { allPsd2: true } }) },
  ],
});
