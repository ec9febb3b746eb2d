import rule from '../../../src/rules/signature/algorithm.js';
import { testRule } from '../rule-tester.js';
import {
  ASKED,
  aSignedCall,
  EC_SEAL,
  EC_SEAL_KEY,
  NOT_ASKED,
  OPTIONAL,
  type SignedParts,
} from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'one of the key': asked({ certificate: EC_SEAL, key: EC_SEAL_KEY, algorithm: 'ecdsa-sha256' }),
    'one that the key tells': asked({ algorithm: 'hs2019' }),
  },
  violates: {
    'SHA-1': { ...asked({ algorithm: 'rsa-sha1', hash: 'sha1' }), finds: [{ actual: 'rsa-sha1' }] },
    'one of another key': {
      ...asked({ algorithm: 'ecdsa-sha256' }),
      finds: [{ expected: 'an algorithm of the rsa key of the certificate' }],
    },
    'in capitals': asked({ algorithm: 'RSA-SHA256' }),
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ algorithm: 'rsa-sha1', hash: 'sha1' }),
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
