import rule from '../../../src/rules/consents/iban-valid.js';
import { fingerprint } from '../../builders.js';
import { consentWith, DEBTOR } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const selecting = (...accounts: readonly unknown[]) => consentWith({ access: { balances: accounts } });

testRule(rule, {
  complies: {
    'an IBAN': { call: selecting({ iban: DEBTOR }) },
    'one account in two currencies': { call: selecting({ iban: DEBTOR, currency: 'EUR' }, { iban: DEBTOR }) },
    'beside another kind of number': { call: selecting({ iban: DEBTOR }, { bban: '12345' }) },
  },
  violates: {
    'a short number': {
      call: selecting({ iban: DEBTOR }, { iban: '12345' }),
      finds: [{ place: 'body access.balances[1].iban' }],
    },
    'one of the further information': {
      call: consentWith({
        access: { accounts: [{ iban: DEBTOR }], additionalInformation: { ownerName: [{ iban: '12345' }] } },
      }),
      finds: [{ place: 'body access.additionalInformation.ownerName[0].iban' }],
    },
    'wrong check digits': { call: selecting({ iban: 'BE68539007547035' }) },
  },
  notApplicable: {
    'all accounts': { call: consentWith({}) },
    'another kind of number': { call: selecting({ bban: '12345' }) },
    'no text (another rule judges it)': { call: selecting({ iban: 12345 }, {}) },
    'a selection that the PSU makes': { call: selecting() },
  },
  notObserved: { 'a fingerprint in its place': { call: selecting({ iban: fingerprint(DEBTOR) }) } },
});
