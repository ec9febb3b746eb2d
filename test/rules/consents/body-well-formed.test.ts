import rule from '../../../src/rules/consents/body-well-formed.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'all five fields': { call: consentWith({}) },
    'further members, which do no harm': { call: consentWith({ remark: 'x' }) },
    'members of access that are null': {
      call: consentWith({ access: { allPsd2: 'allAccounts', accounts: null } }),
    },
    'a number that is no integer, which another rule judges': { call: consentWith({ frequencyPerDay: 1.5 }) },
    'a text that is no date, which another rule judges': { call: consentWith({ validUntil: 'soon' }) },
    'an access of no kind, which another rule judges': { call: consentWith({ access: {} }) },
  },
  violates: {
    'a boolean as text': {
      call: consentWith({ recurringIndicator: 'true' }),
      finds: [{ place: 'body recurringIndicator', expected: 'true or false', actual: '"true"' }],
    },
    'a field missing': {
      call: consentWith({ combinedServiceIndicator: undefined }),
      finds: [{ place: 'body combinedServiceIndicator', actual: 'absent' }],
    },
    'a frequency as text': {
      call: consentWith({ frequencyPerDay: '4' }),
      finds: [{ place: 'body frequencyPerDay', actual: '"4"' }],
    },
    'a date as number': {
      call: consentWith({ validUntil: 20260913 }),
      finds: [{ place: 'body validUntil', expected: 'a string', actual: '20260913 (a number)' }],
    },
    'access as list': {
      call: consentWith({ access: [] }),
      finds: [{ place: 'body access', actual: 'an array' }],
    },
    'a global access as boolean': {
      call: consentWith({ access: { allPsd2: true } }),
      finds: [{ place: 'body access.allPsd2', actual: 'true (a boolean)' }],
    },
    'each of several fields, named': {
      call: consentWith({ recurringIndicator: 1, validUntil: undefined }),
      finds: [{ place: 'body recurringIndicator' }, { place: 'body validUntil' }],
    },
    'a list instead of an object': {
      call: { operation: 'consents.create', body: [] },
      finds: [{ place: 'body' }],
    },
    'no body at all': {
      call: { operation: 'consents.create' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  },
  notApplicable: {
    'another operation': { call: { operation: 'consents.read' } },
    'a body that does not parse': { call: { operation: 'consents.create', body: '{"access":' } },
    'another media type': {
      call: { operation: 'consents.create', body: 'x', headers: { 'Content-Type': 'text/plain' } },
    },
  },
});
