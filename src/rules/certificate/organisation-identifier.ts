import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/organisation-identifier',
  statement: 'organizationIdentifier has the form PSDcc-NCA-number',
  sources: ['ETSI'],
  severity: { sandbox: 'should', production: 'must' },
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'The identifier ties the certificate to an entry in the register of its authority.',
  fix: 'Ask your issuer for an organizationIdentifier of the form PSDcc-NCA-number in the subject.',
  examples: { complies: 'PSDBE-NBB-0123456789', violates: 'VATBE-0123456789' },
  judge: ({ organizationIdentifier: id }) =>
    (id !== null &&
      id.scheme === 'PSD' &&
      id.country !== null &&
      id.authority !== null &&
      id.number !== null) ||
    violation('certificate organizationIdentifier', 'PSDcc-NCA-number', id?.text ?? 'absent'),
});
