import rule from '../../../src/rules/signature/verifies.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

/** The file of another program: the bank was called below a base path. */
const covered = ['(request-target)', 'digest', 'x-request-id', 'psu-id', 'date', 'tpp-redirect-uri'];
const below = aSignedCall({
  isForeign: true,
  covered,
  signs: (_, text) => text.replace('post /', 'post /psd2/'),
});
const recorded = below.with({ connection: { ...below.connection, bank: 'https://api.bank.example/psd2' } });

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'in a recording of another program': asked({ isForeign: true }),
    'below a base path, in such a recording': { sent: recorded, options: ASKED },
  },
  violates: {
    'another text': {
      ...asked({ signs: () => 'something else' }),
      finds: [{ place: 'header Signature', actual: 'a wrong signature: no known cause' }],
    },
    'another algorithm than it says': {
      ...asked({ hash: 'sha512' }),
      finds: [{ actual: 'a wrong signature: it was made by rsa-sha512, not by rsa-sha256' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': { sent: aSignedCall({ signs: () => 'something else' }), options: NOT_ASKED },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
    'no certificate': { sent: aSignedCall({ certificateHeader: null }), options: ASKED },
    'a header that is not there': {
      sent: aSignedCall({ covered: ['digest', 'psu-corporate-id'] }),
      options: ASKED,
    },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
