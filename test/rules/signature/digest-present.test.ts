import rule from '../../../src/rules/signature/digest-present.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, asking, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'a bank that asks for a signature alone': {
      sent: aSignedCall(),
      options: asking({ signature: 'required', digest: 'none' }),
    },
  },
  violates: {
    'a signed read without': {
      ...asked({ operation: 'consents.read', body: null, digest: null }),
      finds: [
        {
          place: 'header Digest',
          expected: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=, the digest of an empty body',
        },
      ],
    },
    'none though a signature is sent': {
      sent: aSignedCall({ digest: null }),
      options: OPTIONAL,
      finds: [{ actual: 'absent' }],
    },
    'the signature covers it, though the bank asks for none': {
      sent: aSignedCall({ digest: null }),
      options: asking({ signature: 'required', digest: 'none' }),
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ operation: 'consents.read', body: null, digest: null }),
      options: NOT_ASKED,
    },
    'neither is sent, and neither is asked for': {
      sent: aSignedCall({ digest: null, signature: null }),
      options: OPTIONAL,
    },
  },
});
