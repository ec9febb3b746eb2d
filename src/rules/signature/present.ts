import { signatureAskedRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

export default signatureAskedRule({
  id: 'signature/present',
  statement: 'Where the bank asks for it, the request is signed',
  sources: ['BG 12'],
  refusal: { code: 'SIGNATURE_MISSING' },
  why: 'The bank takes only requests that the TPP has sealed: a TLS connection proves nothing afterwards.',
  fix: 'Send Digest, Signature and TPP-Signature-Certificate, made with your QSealC.',
  examples: { complies: 'Signature: keyId="SN=…,CA=…",…', violates: 'no Signature' },
  judge: ({ signature }, _, asks) => {
    if (signature !== undefined) return true;
    return asks === 'optional' ? 'not-applicable' : violation('header Signature', 'a signature', 'absent');
  },
});
