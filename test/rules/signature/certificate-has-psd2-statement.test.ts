import rule from '../../../src/rules/signature/certificate-has-psd2-statement.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}) },
  violates: {
    none: {
      ...asked({ certificate: aSeal({ psd2: null }) }),
      finds: [{ place: 'seal PSD2 QCStatement', actual: 'absent' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ certificate: aSeal({ psd2: null }) }),
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
