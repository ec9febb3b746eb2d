import rule from '../../../src/rules/funds/iban-valid.js';
import { fingerprint } from '../../builders.js';
import { DEBTOR, fundsWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { 'an IBAN': { call: fundsWith({}) } },
  violates: {
    'wrong check digits': {
      call: fundsWith({ account: { iban: 'BE68539007547035' } }),
      finds: [{ place: 'body account.iban' }],
    },
  },
  notApplicable: { 'another kind of number': { call: fundsWith({ account: { bban: '1' } }) } },
  notObserved: {
    'a fingerprint in its place': { call: fundsWith({ account: { iban: fingerprint(DEBTOR) } }) },
  },
});
