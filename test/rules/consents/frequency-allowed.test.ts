import rule from '../../../src/rules/consents/frequency-allowed.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'four a day', call: consentWith({}) },
    { name: 'one a day', call: consentWith({ frequencyPerDay: 1 }) },
  ],
  violates: [
    {
      name: 'five a day',
      call: consentWith({ frequencyPerDay: 5 }),
      finds: [{ place: 'body frequencyPerDay', expected: '1 to 4', actual: '5' }],
    },
  ],
  notApplicable: [
    {
      name: 'several a day, once, which another rule judges',
      call: consentWith({ frequencyPerDay: 4, recurringIndicator: false }),
    },
    { name: 'zero, which another rule judges', call: consentWith({ frequencyPerDay: 0 }) },
    { name: 'no integer, which another rule judges', call: consentWith({ frequencyPerDay: 4.5 }) },
    { name: 'a text, which another rule judges', call: consentWith({ frequencyPerDay: '24' }) },
  ],
});
