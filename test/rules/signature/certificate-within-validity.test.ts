import rule from '../../../src/rules/signature/certificate-within-validity.js';
import { NOW } from '../../builders.js';
import { DAY } from '../../certificate/made.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}), 'in a recording of another program': asked({ isForeign: true }) },
  violates: {
    'one that has expired': {
      ...asked({ certificate: aSeal({ notBefore: NOW - 90 * DAY, notAfter: NOW - DAY }) }),
      finds: [{ place: 'seal validity' }],
    },
    'one that has not begun': {
      ...asked({ certificate: aSeal({ notBefore: NOW + DAY }) }),
      finds: [{ refusal: { code: 'CERTIFICATE_INVALID' } }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ certificate: aSeal({ notBefore: NOW - 90 * DAY, notAfter: NOW - DAY }) }),
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
