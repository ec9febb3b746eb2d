import rule from '../../../src/rules/consents/frequency-allowed.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'four a day', call: consentWith({}) },
    { name: 'one a day', call: consentWith({ frequencyPerDay: 1 }) },
    { name: 'one, once', call: consentWith({ frequencyPerDay: 1, recurringIndicator: false }) },
  ],
  violates: [
    {
      name: 'five a day',
      call: consentWith({ frequencyPerDay: 5 }),
      finds: [{ place: 'body frequencyPerDay', expected: '1 to 4', actual: '5' }],
    },
    {
      name: 'several a day for a consent that is used once',
      call: consentWith({ frequencyPerDay: 4, recurringIndicator: false }),
      finds: [{ expected: '1, as recurringIndicator is false', actual: '4' }],
    },
  ],
  notApplicable: [
    { name: 'zero, which another rule judges', call: consentWith({ frequencyPerDay: 0 }) },
    { name: 'no integer, which another rule judges', call: consentWith({ frequencyPerDay: 4.5 }) },
    { name: 'a text, which another rule judges', call: consentWith({ frequencyPerDay: '24' }) },
  ],
});
