import rule from '../../../src/rules/payments/text-characters.js';
import { paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'Latin letters': { call: paymentWith({}) },
    'all the punctuation': { call: paymentWith({ remittanceInformationUnstructured: "/-?:().,'+ 09" }) },
  },
  violates: {
    'an umlaut and an ampersand': {
      call: paymentWith({ creditorName: 'Müller & Söhne' }),
      finds: [{ place: 'body creditorName', actual: 'other characters too: ü & ö' }],
    },
    'an underscore in the end-to-end id': {
      call: paymentWith({ endToEndIdentification: 'INV_1' }),
      finds: [{ place: 'body endToEndIdentification', actual: 'other characters too: _' }],
    },
    'a line break': {
      call: paymentWith({ remittanceInformationUnstructured: 'a\nb' }),
      finds: [{ actual: 'other characters too: \\n' }],
    },
  },
  notApplicable: { 'no texts': { call: paymentWith({ creditorName: undefined }) } },
});
