import rule from '../../../src/rules/signature/present.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'one that was hidden': {
      sent: aSignedCall({ signature: 'fp_1234567890123456789012' }).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
  violates: {
    'no signature': {
      ...asked({ signature: null }),
      finds: [{ place: 'header Signature', actual: 'absent' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': { sent: aSignedCall({ signature: null }), options: NOT_ASKED },
    'a bank that takes calls without': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
});
