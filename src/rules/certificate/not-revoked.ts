import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/not-revoked',
  statement: "The certificate is not on its issuer's CRL, where one is configured",
  sources: ['ETSI', 'RFC5280 5'],
  refusal: { code: 'CERTIFICATE_REVOKED' },
  why: 'The issuer has withdrawn the certificate: its key may be in other hands.',
  fix: 'Use another certificate; ask your issuer why this one was revoked.',
  examples: {
    complies: 'a serial number that is not on the CRL',
    violates: 'a serial number that is on the CRL',
  },
  judge: ({ revocation }) => {
    if (revocation.status === 'not-checked') return 'not-observed';
    return (
      revocation.status === 'good' ||
      violation(
        'certificate serial number',
        'a certificate that is not revoked',
        revocation.since === undefined ? 'revoked' : `revoked since ${revocation.since}`,
      )
    );
  },
});
