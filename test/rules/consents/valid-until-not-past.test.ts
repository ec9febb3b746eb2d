import rule from '../../../src/rules/consents/valid-until-not-past.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

/** Past midnight in Brussels, not yet in UTC. */
const BETWEEN = Date.UTC(2026, 5, 15, 22, 30);

testRule(rule, {
  complies: {
    today: { call: consentWith({ validUntil: '2026-06-15' }) },
    'the day of the bank around midnight': {
      call: consentWith({ validUntil: '2026-06-16' }, { at: BETWEEN }),
    },
  },
  violates: {
    'the day of UTC, once the bank has the next': {
      call: consentWith({ validUntil: '2026-06-15' }, { at: BETWEEN }),
      finds: [{ expected: '2026-06-16 or later', actual: '2026-06-15' }],
    },
    yesterday: {
      call: consentWith({ validUntil: '2026-06-14' }),
      finds: [{ place: 'body validUntil', expected: '2026-06-15 or later', actual: '2026-06-14' }],
    },
    'yesterday, with a rolling window': {
      call: consentWith({ validUntil: '2026-06-14' }),
      options: { dailyWindow: { kind: 'rolling' } },
    },
  },
  notApplicable: {
    'no date': { call: consentWith({ validUntil: '2026-02-30' }) },
    'no validUntil': { call: consentWith({ validUntil: undefined }) },
  },
});
