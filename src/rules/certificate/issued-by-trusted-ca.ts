import { certificateRule } from '../checks/certificate-rule.js';

export default certificateRule({
  id: 'certificate/issued-by-trusted-ca',
  statement: 'A chain leads to a configured trust anchor',
  sources: ['RFC5280 6'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Anyone can make a certificate that says anything; only a trusted issuer vouches for it.',
  fix: 'Use a certificate of an issuer that is trusted here, and send its intermediate certificates along. The operator of Sandgate trusts a further issuer with --trust-anchors FILE, or those of the trusted lists with --trust-list FILE.',
  examples: { complies: 'a certificate of the CA in certs/ca.pem', violates: 'a self-signed certificate' },
  judge: ({ chain }) =>
    chain.trusted || {
      place: 'certificate chain',
      expected: 'one that leads to a configured trust anchor',
      actual: `not trusted: ${chain.reason?.replace(/\.$/, '')}`,
    },
});
