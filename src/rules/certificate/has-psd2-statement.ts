import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/has-psd2-statement',
  statement: 'The PSD2 QCStatement (0.4.0.19495.2) is present and readable',
  sources: ['ETSI'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'The statement says which authority supervises the TPP and which roles it has; without it the certificate says nothing of PSD2.',
  fix: 'Ask your issuer for a certificate with the PSD2 QCStatement of ETSI TS 119 495.',
  examples: { complies: 'QCStatement 0.4.0.19495.2 with roles and NCA', violates: 'a QWAC without it' },
  judge: ({ encoding }) =>
    (encoding !== 'absent' && encoding !== 'unreadable') ||
    violation('certificate PSD2 QCStatement', 'the statement 0.4.0.19495.2', encoding),
});
