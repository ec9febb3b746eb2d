import { signatureRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

const PLACE = 'header TPP-Signature-Certificate';

export default signatureRule({
  id: 'signature/certificate-presented',
  statement:
    'A signed request has the certificate of its signature in TPP-Signature-Certificate, in base64 or as PEM',
  sources: ['BG 12'],
  refusal: { code: 'CERTIFICATE_MISSING' },
  why: 'The bank has no key with which to verify the signature.',
  fix: 'Send the QSealC, as base64 of its DER or as PEM in one line.',
  examples: { complies: 'TPP-Signature-Certificate: MIIE…', violates: 'no TPP-Signature-Certificate' },
  judge: ({ certificate }) => {
    if (certificate === undefined) return violation(PLACE, 'the certificate of the signature', 'absent');
    if (!('problem' in certificate)) return true;
    return {
      ...violation(PLACE, 'a certificate in base64 or PEM', `a certificate that ${certificate.problem}`),
      refusal: { code: 'CERTIFICATE_INVALID' },
    };
  },
});
