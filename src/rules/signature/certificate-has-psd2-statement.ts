import hasPsd2Statement from '../certificate/has-psd2-statement.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-has-psd2-statement',
  statement: 'The certificate of the signature has a readable PSD2 QCStatement (0.4.0.19495.2)',
  sources: ['ETSI', 'BG 12'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Without the statement, the certificate says nothing of PSD2.',
  fix: 'Ask your issuer for a QSealC with the PSD2 QCStatement of ETSI TS 119 495.',
  examples: {
    complies: 'QCStatement 0.4.0.19495.2 with roles and NCA',
    violates: 'a seal certificate without it',
  },
  judge: hasPsd2Statement.judge,
});
