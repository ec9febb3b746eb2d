import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/psd2-statement-encoding',
  statement:
    'The statement is encoded as ETSI lays it out (tolerated otherwise: flat roles, a bare statement, a missing wrapper)',
  sources: ['ETSI'],
  severity: { sandbox: 'should', production: 'should' },
  why: 'Other readers may not find the roles in it.',
  fix: 'Tell your issuer how the encoding deviates from ETSI TS 119 495.',
  examples: {
    complies: 'rolesOfPSP as SEQUENCE OF SEQUENCE { OID, name }',
    violates: 'OIDs and names flat in one SEQUENCE',
  },
  judge: ({ encoding }) => {
    if (encoding === 'absent' || encoding === 'unreadable') return 'not-applicable';
    return (
      encoding === 'standard' ||
      violation(
        'certificate PSD2 QCStatement',
        'encoded as in ETSI TS 119 495',
        `encoded otherwise: ${encoding.replaceAll('-', ' ')}`,
      )
    );
  },
});
