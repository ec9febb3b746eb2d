import rule from '../../../src/rules/signature/certificate-presented.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, SEAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

const { pem } = SEAL;

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'PEM in one line': asked({ certificateHeader: pem.replaceAll('\n', ' ') }),
    'PEM without line ends': asked({ certificateHeader: pem.replaceAll('\n', '') }),
    'PEM with escaped line ends': asked({ certificateHeader: pem.replaceAll('\n', '\\n') }),
    'percent-encoded PEM': asked({ certificateHeader: encodeURIComponent(pem) }),
    'base64 of PEM': asked({ certificateHeader: Buffer.from(pem).toString('base64') }),
  },
  violates: {
    'no certificate': {
      ...asked({ certificateHeader: null }),
      finds: [{ place: 'header TPP-Signature-Certificate', actual: 'absent' }],
    },
    'another text': {
      ...asked({ certificateHeader: 'certificate' + '!' }),
      finds: [
        { actual: 'a certificate that is neither base64 nor PEM', refusal: { code: 'CERTIFICATE_INVALID' } },
      ],
    },
    'base64 of something else': asked({ certificateHeader: 'AAAA' }),
  },
  notApplicable: {
    'a bank that asks for none': { sent: aSignedCall({ certificateHeader: null }), options: NOT_ASKED },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
