import { sealRule } from '../checks/signature-rule.js';
import { type Violation, violation } from '../rule.js';

export default sealRule({
  id: 'signature/certificate-is-qseal',
  statement: 'The certificate of the signature is qualified (QcCompliance) and of type eseal',
  sources: ['ETSI', 'BG 12'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Only a qualified seal certificate (QSealC) proves afterwards who sent a request.',
  fix: 'Sign with the key of the QSealC, not with that of the QWAC.',
  examples: { complies: 'QcCompliance, QcType eseal', violates: 'QcType web' },
  judge: ({ qcCompliance, qcType }) => {
    const violations: Violation[] = [];
    if (!qcCompliance) violations.push(violation('certificate QcCompliance', 'the statement', 'absent'));
    if (qcType.length !== 1 || qcType[0] !== 'eseal')
      violations.push(
        violation(
          'certificate QcType',
          qcType.includes('eseal') ? 'eseal alone' : 'eseal',
          qcType.join(', ') || 'absent',
        ),
      );
    return violations;
  },
});
