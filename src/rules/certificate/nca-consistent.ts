import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/nca-consistent',
  statement: 'nCAId equals the country and authority of organizationIdentifier',
  sources: ['ETSI'],
  severity: { sandbox: 'should', production: 'should' },
  why: 'The certificate names two authorities, and a reader cannot tell which one supervises the TPP.',
  fix: 'Tell your issuer that nCAId and organizationIdentifier disagree.',
  examples: { complies: 'BE-NBB and PSDBE-NBB-0123456789', violates: 'DE-BAFIN and PSDBE-NBB-0123456789' },
  judge: ({ ncaId, organizationIdentifier: id }) => {
    if (ncaId === null || id === null || id.country === null || id.authority === null)
      return 'not-applicable';
    const expected = `${id.country}-${id.authority}`;
    return ncaId === expected || violation('certificate nCAId', expected, ncaId);
  },
});
