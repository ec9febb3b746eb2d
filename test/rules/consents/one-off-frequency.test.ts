import rule from '../../../src/rules/consents/one-off-frequency.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const once = (frequencyPerDay: unknown) => consentWith({ frequencyPerDay, recurringIndicator: false });

testRule(rule, {
  complies: { 'one, once': { call: once(1) } },
  violates: {
    'several a day for a consent that is used once': {
      call: once(4),
      finds: [{ place: 'body frequencyPerDay', expected: '1, as recurringIndicator is false', actual: '4' }],
    },
  },
  notApplicable: {
    'a recurring consent': { call: consentWith({ frequencyPerDay: 4 }) },
    'zero, which another rule judges': { call: once(0) },
    'a text, which another rule judges': { call: once('4') },
  },
});
