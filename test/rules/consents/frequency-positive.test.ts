import rule from '../../../src/rules/consents/frequency-positive.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    one: { call: consentWith({ frequencyPerDay: 1 }) },
    'more than four, which another rule judges': { call: consentWith({ frequencyPerDay: 24 }) },
    'a whole number written with a dot': {
      call: { operation: 'consents.create', body: '{"frequencyPerDay":4.0}' },
    },
  },
  violates: {
    zero: {
      call: consentWith({ frequencyPerDay: 0 }),
      finds: [{ place: 'body frequencyPerDay', expected: 'an integer of 1 or more', actual: '0' }],
    },
    'less than zero': { call: consentWith({ frequencyPerDay: -1 }) },
    'a part': { call: consentWith({ frequencyPerDay: 1.5 }), finds: [{ actual: '1.5' }] },
  },
  notApplicable: {
    none: { call: consentWith({ frequencyPerDay: undefined }) },
    'a text': { call: consentWith({ frequencyPerDay: '4' }) },
  },
});
