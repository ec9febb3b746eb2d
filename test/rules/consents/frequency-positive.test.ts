import rule from '../../../src/rules/consents/frequency-positive.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'one', call: consentWith({ frequencyPerDay: 1 }) },
    { name: 'more than four, which another rule judges', call: consentWith({ frequencyPerDay: 24 }) },
    {
      name: 'a whole number written with a dot',
      call: { operation: 'consents.create', body: '{"frequencyPerDay":4.0}' },
    },
  ],
  violates: [
    {
      name: 'zero',
      call: consentWith({ frequencyPerDay: 0 }),
      finds: [{ place: 'body frequencyPerDay', expected: 'an integer of 1 or more', actual: '0' }],
    },
    { name: 'less than zero', call: consentWith({ frequencyPerDay: -1 }) },
    { name: 'a part', call: consentWith({ frequencyPerDay: 1.5 }), finds: [{ actual: '1.5' }] },
  ],
  notApplicable: [
    { name: 'none', call: consentWith({ frequencyPerDay: undefined }) },
    { name: 'a text', call: consentWith({ frequencyPerDay: '4' }) },
  ],
});
