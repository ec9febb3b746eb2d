import rule from '../../../src/rules/payments/iban-valid.js';
import { fingerprint } from '../../builders.js';
import { CREDITOR, CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const debtor = (iban: unknown) => paymentWith({ debtorAccount: { iban } });

testRule(rule, {
  complies: [
    { name: 'two IBANs', call: paymentWith({}) },
    { name: 'one, and a bban', call: paymentWith({ debtorAccount: { bban: '1' } }, CROSS_BORDER) },
  ],
  violates: [
    {
      name: 'wrong check digits',
      call: debtor('BE68539007547035'),
      finds: [{ place: 'body debtorAccount.iban', actual: 'BE68…, 16 characters' }],
    },
    { name: 'a digit too few', call: debtor('BE6853900754703'), finds: [{ actual: 'BE68…, 15 characters' }] },
    { name: 'spaces', call: debtor('BE68 5390 0754 7034'), finds: [{ actual: 'BE68…, with spaces' }] },
    { name: 'small letters', call: debtor('be68539007547034') },
    {
      name: 'both',
      call: paymentWith({ debtorAccount: { iban: 'BE00' }, creditorAccount: { iban: 'DE00' } }),
      finds: [{ place: 'body debtorAccount.iban' }, { place: 'body creditorAccount.iban' }],
    },
    {
      name: 'a wrong one beside one that is hidden',
      call: paymentWith({
        debtorAccount: { iban: fingerprint(CREDITOR) },
        creditorAccount: { iban: 'DE00' },
      }),
      finds: [{ place: 'body creditorAccount.iban' }],
    },
  ],
  notApplicable: [
    { name: 'no account', call: paymentWith({ debtorAccount: {}, creditorAccount: undefined }) },
    {
      name: 'numbers, which another rule judges',
      call: paymentWith({ debtorAccount: { iban: 1 }, creditorAccount: {} }),
    },
  ],
  notObserved: [
    { name: 'a fingerprint in its place', call: debtor(fingerprint('BE68539007547034')) },
    { name: 'a masked number', call: debtor('BE68********7034') },
  ],
});
