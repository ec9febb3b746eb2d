import rule from '../../../src/rules/signature/digest-well-formed.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, BODY, NOT_ASKED, type SignedParts, sha } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'in lower case': asked({ digest: `sha-256=${sha('sha256', BODY).toString('base64')}` }),
    'two of them': asked({
      digest: `SHA-512=${sha('sha512', BODY).toString('base64')}, SHA-256=${sha('sha256', BODY).toString('base64')}`,
    }),
  },
  violates: {
    hexadecimal: {
      ...asked({ digest: `SHA-256=${sha('sha256', BODY).toString('hex')}` }),
      finds: [{ actual: 'a digest in another form: hexadecimal in place of base64' }],
    },
    'an unknown hash': {
      ...asked({ digest: 'MD5=7yvFiIIsFUHgrRLQ1g9w5w==' }),
      finds: [{ actual: 'a digest in another form' }],
    },
    'no list': asked({ digest: 'what' }),
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ digest: `SHA-256=${sha('sha256', BODY).toString('hex')}` }),
      options: NOT_ASKED,
    },
    'no digest': { sent: aSignedCall({ digest: null }), options: ASKED },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
