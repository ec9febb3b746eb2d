import rule from '../../../src/rules/consents/frequency-allowed.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'four a day': { call: consentWith({}) },
    'one a day': { call: consentWith({ frequencyPerDay: 1 }) },
  },
  violates: {
    'five a day': {
      call: consentWith({ frequencyPerDay: 5 }),
      finds: [{ place: 'body frequencyPerDay', expected: '1 to 4', actual: '5' }],
    },
  },
  notApplicable: {
    'several a day, once, which another rule judges': {
      call: consentWith({ frequencyPerDay: 4, recurringIndicator: false }),
    },
    'zero, which another rule judges': { call: consentWith({ frequencyPerDay: 0 }) },
    'no integer, which another rule judges': { call: consentWith({ frequencyPerDay: 4.5 }) },
    'a text, which another rule judges': { call: consentWith({ frequencyPerDay: '24' }) },
  },
});
