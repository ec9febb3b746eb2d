import { isNcaCode } from '../../spec/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/nca-known',
  statement: 'The authority is one of the published NCA codes',
  sources: ['ETSI'],
  severity: { sandbox: 'note', production: 'should' },
  why: 'Nobody can look up the register of an unknown authority.',
  fix: 'Check the authority in the organizationIdentifier; a test certificate may have one of its own.',
  examples: { complies: 'PSDBE-NBB-…', violates: 'PSDNL-SBX-…' },
  judge: ({ organizationIdentifier: id }) => {
    if (id === null || id.country === null || id.authority === null) return 'not-applicable';
    return (
      isNcaCode(id.country, id.authority) ||
      violation(
        'certificate organizationIdentifier',
        'a published code of an authority',
        `${id.country}-${id.authority}`,
      )
    );
  },
});
