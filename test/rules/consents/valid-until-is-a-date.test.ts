import rule from '../../../src/rules/consents/valid-until-is-a-date.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a date': { call: consentWith({}) },
    'a leap day': { call: consentWith({ validUntil: '2028-02-29' }) },
    'the longest possible': { call: consentWith({ validUntil: '9999-12-31' }) },
    'a date of the past, which another rule judges': { call: consentWith({ validUntil: '2020-01-01' }) },
  },
  violates: {
    'a day that does not exist': {
      call: consentWith({ validUntil: '2026-02-30' }),
      finds: [
        {
          place: 'body validUntil',
          expected: 'a real date, YYYY-MM-DD',
          actual: '"2026-02-30", a day that does not exist',
        },
      ],
    },
    'the European way of writing': { call: consentWith({ validUntil: '13.09.2026' }) },
    'a time of day': { call: consentWith({ validUntil: '2026-09-13T00:00:00Z' }) },
    'nothing in it': { call: consentWith({ validUntil: '' }), finds: [{ actual: 'an empty string' }] },
  },
  notApplicable: {
    'no validUntil': { call: consentWith({ validUntil: undefined }) },
    'a number': { call: consentWith({ validUntil: 20260913 }) },
  },
});
