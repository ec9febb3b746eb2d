import rule from '../../../src/rules/payments/purpose-code-known.js';
import { fingerprint } from '../../builders.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const with_ = (purposeCode: unknown) => paymentWith({ purposeCode }, CROSS_BORDER);

testRule(rule, {
  complies: {
    SALA: { call: with_('SALA') },
    B112: { call: with_('B112') },
  },
  violates: {
    'small letters': { call: with_('sala'), finds: [{ place: 'body purposeCode', actual: 'sala' }] },
    'a word': { call: with_('salary') },
    'four letters of no list': { call: with_('XQZZ') },
  },
  notApplicable: {
    none: { call: paymentWith({}) },
    'one that is hidden': { call: with_(fingerprint('x')) },
  },
});
