import withinValidity from '../certificate/within-validity.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-within-validity',
  statement: 'The certificate of the signature is within its validity period',
  sources: ['RFC5280 4.1.2.5', 'BG 12'],
  refusal: { code: 'CERTIFICATE_EXPIRED' },
  why: 'A seal by an expired certificate proves nothing.',
  fix: 'Sign with a certificate that is valid now; renew it in time, and check your clock.',
  examples: {
    complies: 'notAfter 2027-01-01, called on 2026-06-15',
    violates: 'notAfter 2026-06-14, called on 2026-06-15',
  },
  judge: withinValidity.judge,
});
