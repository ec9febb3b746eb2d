import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/not-blocked',
  statement: 'The organisation is not on the configured block list',
  sources: ['BG'],
  refusal: { code: 'CERTIFICATE_BLOCKED' },
  why: 'The bank does not serve this organisation.',
  fix: 'Ask the bank, or the operator of the gateway, why the organisation is on the block list.',
  examples: {
    complies: 'an organisation that is not on the list',
    violates: 'an organisation that is on the list',
  },
  judge: ({ organizationIdentifier }, { options }) => {
    if (organizationIdentifier === null) return 'not-applicable';
    const { text } = organizationIdentifier;
    return (
      !options.blockedOrganisations.has(text) ||
      violation('certificate organizationIdentifier', 'an organisation that is not blocked', text)
    );
  },
});
