import rule from '../../../src/rules/consents/body-well-formed.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'all five fields', call: consentWith({}) },
    { name: 'further members, which do no harm', call: consentWith({ remark: 'x' }) },
    {
      name: 'members of access that are null',
      call: consentWith({ access: { allPsd2: 'allAccounts', accounts: null } }),
    },
    {
      name: 'a number that is no integer, which another rule judges',
      call: consentWith({ frequencyPerDay: 1.5 }),
    },
    { name: 'a text that is no date, which another rule judges', call: consentWith({ validUntil: 'soon' }) },
    { name: 'an access of no kind, which another rule judges', call: consentWith({ access: {} }) },
  ],
  violates: [
    {
      name: 'a boolean as text',
      call: consentWith({ recurringIndicator: 'true' }),
      finds: [{ place: 'body recurringIndicator', expected: 'true or false', actual: '"true"' }],
    },
    {
      name: 'a field missing',
      call: consentWith({ combinedServiceIndicator: undefined }),
      finds: [{ place: 'body combinedServiceIndicator', actual: 'absent' }],
    },
    {
      name: 'a frequency as text',
      call: consentWith({ frequencyPerDay: '4' }),
      finds: [{ place: 'body frequencyPerDay', actual: '"4"' }],
    },
    {
      name: 'a date as number',
      call: consentWith({ validUntil: 20260913 }),
      finds: [{ place: 'body validUntil', expected: 'a string', actual: '20260913 (a number)' }],
    },
    {
      name: 'access as list',
      call: consentWith({ access: [] }),
      finds: [{ place: 'body access', actual: 'an array' }],
    },
    {
      name: 'a global access as boolean',
      call: consentWith({ access: { allPsd2: true } }),
      finds: [{ place: 'body access.allPsd2', actual: 'true (a boolean)' }],
    },
    {
      name: 'each of several fields, named',
      call: consentWith({ recurringIndicator: 1, validUntil: undefined }),
      finds: [{ place: 'body recurringIndicator' }, { place: 'body validUntil' }],
    },
    {
      name: 'a list instead of an object',
      call: { operation: 'consents.create', body: [] },
      finds: [{ place: 'body' }],
    },
    {
      name: 'no body at all',
      call: { operation: 'consents.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  ],
  notApplicable: [
    { name: 'another operation', call: { operation: 'consents.read' } },
    { name: 'a body that does not parse', call: { operation: 'consents.create', body: '{"access":' } },
    {
      name: 'another media type',
      call: { operation: 'consents.create', body: 'x', headers: { 'Content-Type': 'text/plain' } },
    },
  ],
});
