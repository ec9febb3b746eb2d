import issuedByTrustedCa from '../certificate/issued-by-trusted-ca.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-trusted',
  statement: 'A chain leads from the certificate of the signature to a configured trust anchor',
  sources: ['RFC5280 6', 'BG 12'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Anyone can make a certificate that says anything; only a trusted issuer vouches for it.',
  fix: 'Sign with a certificate of an issuer that is trusted here. The operator of Sandgate trusts a further issuer with --trust-anchors FILE, or those of the trusted lists with --trust-list FILE.',
  examples: { complies: 'a certificate of the CA in certs/ca.pem', violates: 'a self-signed certificate' },
  needsTrust: true,
  judge: issuedByTrustedCa.judge,
});
