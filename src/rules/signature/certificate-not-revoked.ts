import notRevoked from '../certificate/not-revoked.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-not-revoked',
  statement: "The certificate of the signature is not on its issuer's CRL, where one is configured",
  sources: ['RFC5280 5', 'BG 12'],
  refusal: { code: 'CERTIFICATE_REVOKED' },
  why: 'The issuer has withdrawn the certificate: its key may be in other hands.',
  fix: 'Sign with another certificate; ask your issuer why this one was revoked.',
  examples: {
    complies: 'a serial number that is not on the CRL',
    violates: 'a serial number that is on the CRL',
  },
  needsTrust: true,
  judge: notRevoked.judge,
});
