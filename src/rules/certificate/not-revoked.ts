import { ocspText } from '../../certificate/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

const PLACE = 'certificate serial number';

export default certificateRule({
  id: 'certificate/not-revoked',
  statement:
    "The certificate is not revoked, by its issuer's CRL, where one is configured, and by its OCSP responder, where it is asked",
  sources: ['ETSI', 'RFC5280 5', 'RFC6960'],
  refusal: { code: 'CERTIFICATE_REVOKED' },
  why: 'The issuer has withdrawn the certificate: its key may be in other hands.',
  fix: 'If it was revoked, use another certificate; if its OCSP responder does not say that it is good, tell your issuer.',
  examples: {
    complies: 'a serial number that is not on the CRL',
    violates: 'a serial number that is on the CRL',
  },
  judge: ({ revocation }) => {
    const { status, since, ocsp, ocspNotes } = revocation;
    if (status === 'good') return true;
    if (status === 'not-checked') {
      if (ocsp === undefined || ocsp === 'asking') return 'not-observed';
      const expected = 'one that its issuer calls good';
      return { ...violation(PLACE, expected, `not vouched for: ${ocspText(ocsp)}`), atMost: 'note' };
    }
    const source = ocsp === undefined ? '' : `: ${ocspText(ocsp, ocspNotes)}`;
    const found = since === undefined ? 'revoked' : `revoked since ${since}`;
    return violation(PLACE, 'one that is not revoked', `${found}${source}`);
  },
});
