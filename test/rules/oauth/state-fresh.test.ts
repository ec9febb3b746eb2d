import rule from '../../../src/rules/oauth/state-fresh.js';
import { NOW } from '../../builders.js';
import { aConsent, anAuthorisation, aUse, ledgerOf, STATE } from '../ledger-of.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

/** Of the sandbox's ids, which stand for an authorisation of every TPP. */
const SHARED = '22222222-2222-2222-2222-222222222222';
const USED = NOW - 60_000;

testRule(rule, {
  complies: {
    'a new one': { call: authorizeWith({}) },
    'the same request once more': { call: authorizeWith({}), ledger: ledgerOf(aUse('state', STATE)) },
    'the same request, where the TPP has created another consent under the same id since': {
      call: authorizeWith({}),
      ledger: ledgerOf(aUse('state', STATE), aConsent({ createdAt: USED + 1 }), anAuthorisation()),
    },
    'a value that was used as challenge': {
      call: authorizeWith({}),
      ledger: ledgerOf(aUse('challenge', STATE, { purpose: 'other' })),
    },
  },
  violates: {
    'the one of another authorisation': {
      call: authorizeWith({}),
      ledger: ledgerOf(aUse('state', STATE, { purpose: 'other' })),
      finds: [{ place: 'query state', actual: 'a value that was used before, at 2026-06-15T09:59:00.000Z' }],
    },
    'the one of an earlier consent that had the same authorisation id, as in the sandbox': {
      call: authorizeWith({}, { params: { authorisationId: SHARED } }),
      ledger: ledgerOf(
        aUse('state', STATE, { purpose: SHARED }),
        aConsent({ createdAt: USED + 1, authorisations: [SHARED] }),
        anAuthorisation({ id: SHARED }),
      ),
    },
  },
  notApplicable: {
    none: { call: authorizeWith({ state: undefined }) },
    'a constant, which another rule judges': {
      call: authorizeWith({ state: 'test' }),
      ledger: ledgerOf(aUse('state', 'test', { purpose: 'other' })),
    },
  },
});
