import rule from '../../../src/rules/signature/certificate-not-revoked.js';
import { factsOf } from '../../certificate/made.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, SEAL } from './a-signed-call.js';

const found = (status: 'good' | 'revoked' | 'not-checked') => ({
  sent: aSignedCall().with({ seal: { ...factsOf(SEAL), revocation: { status } } }),
  options: ASKED,
});

testRule(rule, {
  complies: { 'one that is not on the list': found('good') },
  violates: {
    'one that is': { ...found('revoked'), finds: [{ place: 'seal serial number', actual: 'revoked' }] },
  },
  notApplicable: { 'a bank that asks for none': { ...found('revoked'), options: NOT_ASKED } },
  notObserved: {
    'no list': found('not-checked'),
    'a recording of another program': { sent: aSignedCall({ isForeign: true }), options: ASKED },
  },
});
