import rule from '../../../src/rules/signature/certificate-same-organisation.js';
import { OTHER_TPP, TPP } from '../../builders.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSeal, aSignedCall, NOT_ASKED, OPTIONAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

testRule(rule, {
  complies: { 'a right call': asked({}) },
  violates: {
    'another organisation': {
      ...asked({
        certificate: aSeal({ subject: { commonName: 'Other', organizationIdentifier: OTHER_TPP } }),
      }),
      finds: [
        { place: 'seal organizationIdentifier', expected: `${TPP}, as in the QWAC`, actual: OTHER_TPP },
      ],
    },
    none: {
      ...asked({ certificate: aSeal({ subject: { commonName: 'Nobody' } }) }),
      finds: [{ actual: 'absent' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({
        certificate: aSeal({ subject: { commonName: 'Other', organizationIdentifier: OTHER_TPP } }),
      }),
      options: NOT_ASKED,
    },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
    'a call without QWAC': { sent: aSignedCall({ qwac: 'absent' }), options: ASKED },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
    'a QWAC that was not seen': { sent: aSignedCall({ qwac: 'not-observed' }), options: ASKED },
  },
});
