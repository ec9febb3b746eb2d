import rule from '../../../src/rules/payments/iban-valid.js';
import { fingerprint } from '../../builders.js';
import { CREDITOR, CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const debtor = (iban: unknown) => paymentWith({ debtorAccount: { iban } });

testRule(rule, {
  complies: {
    'two IBANs': { call: paymentWith({}) },
    'one, and a bban': { call: paymentWith({ debtorAccount: { bban: '1' } }, CROSS_BORDER) },
  },
  violates: {
    'wrong check digits': {
      call: debtor('BE68539007547035'),
      finds: [
        {
          place: 'body debtorAccount.iban',
          expected:
            'an IBAN of Belgium: 16 characters, in capitals without spaces, with check digits that fit',
          actual: 'BE68…, with check digits that do not fit',
        },
      ],
    },
    'a digit too few': {
      call: debtor('BE6853900754703'),
      finds: [{ actual: 'BE68…, 15 characters and with check digits that do not fit' }],
    },
    'two digits too many, for which the check digits were computed': {
      call: debtor('BE43539007547034AB'),
      finds: [{ actual: 'BE43…, 18 characters' }],
    },
    'no country': {
      call: debtor('ZZ68539007547034'),
      finds: [
        { expected: 'an IBAN, which begins with the code of a country that has them', actual: 'ZZ68…' },
      ],
    },
    'signs between': {
      call: debtor('BE68-5390-0754-7034'),
      finds: [
        {
          actual:
            'BE68…, with signs that are neither letters nor digits, 19 characters and with check digits that do not fit',
        },
      ],
    },
    spaces: { call: debtor('BE68 5390 0754 7034'), finds: [{ actual: 'BE68…, with spaces' }] },
    'small letters behind the country': {
      call: debtor('GB33bukb20201555555555'),
      finds: [{ actual: 'GB33…, with small letters' }],
    },
    'small letters': { call: debtor('be68539007547034'), finds: [{ actual: 'BE68…, with small letters' }] },
    'spaces, small letters and a wrong digit': {
      call: debtor('be68 5390 0754 7035'),
      finds: [{ actual: 'BE68…, with spaces, with small letters and with check digits that do not fit' }],
    },
    both: {
      call: paymentWith({ debtorAccount: { iban: 'BE00' }, creditorAccount: { iban: 'DE00' } }),
      finds: [{ place: 'body debtorAccount.iban' }, { place: 'body creditorAccount.iban' }],
    },
    'a wrong one beside one that is hidden': {
      call: paymentWith({
        debtorAccount: { iban: fingerprint(CREDITOR) },
        creditorAccount: { iban: 'DE00' },
      }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
  },
  notApplicable: {
    'no account': { call: paymentWith({ debtorAccount: {}, creditorAccount: undefined }) },
    'numbers, which another rule judges': {
      call: paymentWith({ debtorAccount: { iban: 1 }, creditorAccount: {} }),
    },
  },
  notObserved: {
    'a fingerprint in its place': { call: debtor(fingerprint('BE68539007547034')) },
    'a masked number': { call: debtor('BE68********7034') },
  },
});
