import rule from '../../../src/rules/payments/text-lengths.js';
import { fingerprint } from '../../builders.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'short texts': { call: paymentWith({ endToEndIdentification: 'INV-1' }) },
    'each at its limit': {
      call: paymentWith({
        creditorName: 'a'.repeat(70),
        endToEndIdentification: 'a'.repeat(35),
        remittanceInformationUnstructured: 'a'.repeat(140),
      }),
    },
    'characters that take two code units': { call: paymentWith({ creditorName: '𝔞'.repeat(70) }) },
  },
  violates: {
    'a name one too long': {
      call: paymentWith({ creditorName: 'a'.repeat(71) }),
      finds: [{ place: 'body creditorName', expected: 'at most 70 characters', actual: '71 characters' }],
    },
    'each one too long': {
      call: paymentWith({
        endToEndIdentification: 'a'.repeat(36),
        remittanceInformationUnstructured: 'a'.repeat(141),
      }),
      finds: [{ place: 'body endToEndIdentification' }, { place: 'body remittanceInformationUnstructured' }],
    },
  },
  notApplicable: {
    'no texts': { call: paymentWith({ creditorName: undefined }) },
    'a text that is hidden': { call: paymentWith({ creditorName: fingerprint('x') }) },
  },
});
