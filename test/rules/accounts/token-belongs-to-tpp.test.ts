import rule from '../../../src/rules/accounts/token-belongs-to-tpp.js';
import { OTHER_TPP, TPP } from '../../builders.js';
import { aLedger, aToken, BEARER } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'the same organisation': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken() }),
    },
  },
  violates: {
    'another organisation': {
      call: { operation: 'accounts.list', headers: BEARER },
      ledger: aLedger({ tokens: aToken({ tpp: OTHER_TPP }) }),
      finds: [
        { expected: `a token that was issued to ${TPP}`, actual: `a token that was issued to ${OTHER_TPP}` },
      ],
    },
  },
  notApplicable: {
    'an unknown token': { call: { operation: 'accounts.list', headers: BEARER } },
    'no certificate': { call: { operation: 'accounts.list', headers: BEARER, certificate: 'absent' } },
  },
  notObserved: {
    'a recording without certificates': {
      call: { operation: 'accounts.list', headers: BEARER, certificate: 'not-observed' },
    },
  },
});
