import notRevoked from '../certificate/not-revoked.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-not-revoked',
  statement:
    "The certificate of the signature is not revoked, by its issuer's CRL, where one is configured, and by its OCSP responder, where it is asked",
  sources: ['RFC5280 5', 'RFC6960', 'BG 12'],
  refusal: { code: 'CERTIFICATE_REVOKED' },
  why: 'The issuer has withdrawn the certificate: its key may be in other hands.',
  fix: 'If it was revoked, sign with another certificate; if its OCSP responder does not say that it is good, tell your issuer.',
  examples: {
    complies: 'a serial number that is not on the CRL',
    violates: 'a serial number that is on the CRL',
  },
  needsTrust: true,
  judge: notRevoked.judge,
});
