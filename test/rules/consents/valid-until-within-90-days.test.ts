import rule from '../../../src/rules/consents/valid-until-within-90-days.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    '90 days ahead': { call: consentWith({ validUntil: '2026-09-13' }) },
    today: { call: consentWith({ validUntil: '2026-06-15' }) },
    'the longest possible': { call: consentWith({ validUntil: '9999-12-31' }) },
    '90 days from the day of the bank, while it is the day before in UTC': {
      call: consentWith({ validUntil: '2026-09-14' }, { at: Date.UTC(2026, 5, 15, 22, 30) }),
    },
  },
  violates: {
    'one day too far': {
      call: consentWith({ validUntil: '2026-09-14' }),
      finds: [
        {
          place: 'body validUntil',
          expected: 'at most 90 days ahead, or 9999-12-31',
          actual: '2026-09-14, which is 91 days ahead',
        },
      ],
    },
    '180 days': { call: consentWith({ validUntil: '2026-12-12' }) },
  },
  notApplicable: {
    'a date of the past': { call: consentWith({ validUntil: '2026-06-14' }) },
    'no date': { call: consentWith({ validUntil: 'soon' }) },
  },
});
