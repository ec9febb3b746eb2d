import rule from '../../../src/rules/oauth/challenge-fresh.js';
import { aUse, CHALLENGE, ledgerOf } from '../ledger-of.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a new one': { call: authorizeWith({}) },
    'the same request once more': { call: authorizeWith({}), ledger: ledgerOf(aUse('challenge', CHALLENGE)) },
  },
  violates: {
    'the one of another authorisation': {
      call: authorizeWith({}),
      ledger: ledgerOf(aUse('challenge', CHALLENGE, { purpose: 'other' })),
      finds: [{ place: 'query code_challenge' }],
    },
  },
  notApplicable: {
    none: { call: authorizeWith({ code_challenge: undefined }) },
    'a constant, which another rule judges': {
      call: authorizeWith({ code_challenge: 'test' }),
      ledger: ledgerOf(aUse('challenge', 'test', { purpose: 'other' })),
    },
    two: { call: authorizeAnd('code_challenge=x') },
  },
});
