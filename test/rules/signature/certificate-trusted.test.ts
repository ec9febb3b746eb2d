import rule from '../../../src/rules/signature/certificate-trusted.js';
import { anAuthority } from '../../certificate/made.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}) },
  violates: {
    'another CA': {
      ...asked({ certificate: aSeal({ authority: anAuthority('Another Root') }) }),
      finds: [{ place: 'seal chain' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ certificate: aSeal({ authority: anAuthority('Another Root') }) }),
      options: NOT_ASKED,
    },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
    'a recording of another program': { sent: aSignedCall({ isForeign: true }), options: ASKED },
  },
});
