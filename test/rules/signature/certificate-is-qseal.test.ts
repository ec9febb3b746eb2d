import rule from '../../../src/rules/signature/certificate-is-qseal.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}) },
  violates: {
    'the QWAC': {
      ...asked({ certificate: aSeal({ qualified: { compliance: true, types: ['web'] } }) }),
      finds: [{ place: 'seal QcType', expected: 'eseal', actual: 'web' }],
    },
    'both in one': {
      ...asked({ certificate: aSeal({ qualified: { compliance: false, types: ['eseal', 'web'] } }) }),
      finds: [{ place: 'seal QcCompliance' }, { expected: 'eseal alone' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ certificate: aSeal({ qualified: { compliance: true, types: ['web'] } }) }),
      options: NOT_ASKED,
    },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
