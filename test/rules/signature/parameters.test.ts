import rule from '../../../src/rules/signature/parameters.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'in another order': asked({
      signature: 'signature="AAAA", headers="digest",algorithm="rsa-sha256" ,keyId="a,b"',
    }),
  },
  violates: {
    'no keyId': {
      ...asked({ signature: 'algorithm="rsa-sha256",headers="digest",signature="AAAA"' }),
      finds: [{ expected: 'a signature with keyId', actual: 'a signature without keyId' }],
    },
    'the scheme of Authorization': {
      ...asked({ signature: 'Signature keyId="a"' }),
      finds: [{ actual: 'a header that begins with the scheme of an Authorization header' }],
    },
    'twice the same': asked({ signature: 'keyId="a",keyId="b"' }),
    'one that has expired': {
      ...asked({
        signature: 'keyId="a",algorithm="hs2019",headers="(expires)",expires=1402170695,signature="AAAA"',
      }),
      finds: [{ actual: 'a signature whose expires has passed' }],
    },
    'another coding': {
      ...asked({ encode: (bytes) => bytes.toString('base64url') }),
      finds: [{ actual: 'a signature in another form: the signature is base64url in place of base64' }],
    },
    'no base64 at all': {
      ...asked({ encode: () => '???' }),
      finds: [{ actual: 'a signature in another form' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ signature: 'algorithm="rsa-sha256",headers="digest",signature="AAAA"' }),
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
