import { sealRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

export default sealRule({
  id: 'signature/certificate-same-organisation',
  statement: 'The certificate of the signature is of the same organisation as the QWAC',
  sources: ['ETSI', 'BG 12'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Somebody else signed than the one who calls.',
  fix: 'Sign with a certificate that has the organizationIdentifier of your QWAC.',
  examples: {
    complies: 'PSDBE-NBB-0123456789 in both',
    violates: 'PSDBE-NBB-0123456789 calls, PSDDE-BAFIN-987654 signs',
  },
  judge: ({ organizationIdentifier }, { call: { certificate } }) => {
    if (certificate === 'not-observed') return 'not-observed';
    if (certificate === 'absent' || certificate.organizationIdentifier === null) return 'not-applicable';
    const { text } = certificate.organizationIdentifier;
    const signer = organizationIdentifier?.text ?? 'absent';
    return (
      signer === text || violation('certificate organizationIdentifier', `${text}, as in the QWAC`, signer)
    );
  },
});
