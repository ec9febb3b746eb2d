import { applyChanges, type LedgerChange, type LedgerState } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/oauth/code-used-once.js';
import { fingerprint, NOW } from '../../builders.js';
import { aCode, ledgerOf, underWay } from '../ledger-of.js';
import { CODE, exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const used = aCode(CODE, { usedAt: NOW - 1_000 });
const literal = exchangeWith({ code: 'AIS_VALID_CODE' });
const literalUsed = ledgerOf(aCode('AIS_VALID_CODE', { usedAt: NOW - 1_000 }));

function withFact(ledger: LedgerState, change: LedgerChange): LedgerState {
  applyChanges(ledger, [change]);
  return ledger;
}

testRule(rule, {
  complies: {
    'a literal code for the first time, wherever it came from': { call: literal },
    'a fresh code, while another one is being exchanged': {
      call: exchangeWith({}),
      ledger: withFact(underWay(exchangeWith({ code: 'another' })), aCode(CODE)),
    },
    'a fresh code': { call: exchangeWith({}), ledger: ledgerOf(aCode(CODE)) },
    'a fresh code, in a recording': {
      call: exchangeWith({ code: fingerprint(CODE) }),
      ledger: ledgerOf(aCode(CODE)),
    },
  },
  violates: {
    'one that is being exchanged': { call: exchangeWith({}), ledger: underWay(exchangeWith({})) },
    'the second exchange': {
      call: exchangeWith({}),
      ledger: ledgerOf(used),
      finds: [{ place: 'body code', actual: 'a code exchanged at 2026-06-15T09:59:59.000Z' }],
    },
    'the second exchange, in a recording': {
      call: exchangeWith({ code: fingerprint(CODE) }),
      ledger: ledgerOf(used),
    },
    'a literal code in the sandbox, as a note': {
      call: literal,
      ledger: literalUsed,
      finds: [{ atMost: 'note' }],
    },
    'a literal code in production': {
      call: literal,
      ledger: literalUsed,
      options: { profile: 'production' },
    },
  },
  notApplicable: {
    'no code': { call: exchangeWith({ code: undefined }) },
    'a refresh': { call: refreshWith({}) },
  },
  notObserved: { 'a code that was not seen': { call: exchangeWith({}) } },
});
