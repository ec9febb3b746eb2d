import { judgeRoles } from '../certificate/role-covers-operation.js';
import { sealRule } from '../checks/signature-rule.js';

export default sealRule({
  id: 'signature/certificate-role-covers-operation',
  statement: 'The roles of the certificate of the signature cover the service',
  sources: ['ETSI', 'BG 12'],
  refusal: { code: 'ROLE_INVALID' },
  why: 'The authority has not licensed the signer for this service.',
  fix: 'Sign with a certificate that has the role: PSP_AI for accounts, PSP_PI for payments, PSP_IC for funds confirmation.',
  examples: { complies: 'a payment signed with PSP_PI', violates: 'a payment signed with PSP_AI alone' },
  judge: judgeRoles,
});
