import rule from '../../../src/rules/signature/certificate-role-covers-operation.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}) },
  violates: {
    'payments alone': {
      ...asked({ certificate: aSeal({ psd2: { roles: ['PSP_PI'], ncaName: 'NBB', ncaId: 'BE-NBB' } }) }),
      finds: [{ place: 'seal roles', expected: 'PSP_AI', actual: 'PSP_PI' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({
        certificate: aSeal({ psd2: { roles: ['PSP_PI'], ncaName: 'NBB', ncaId: 'BE-NBB' } }),
      }),
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
