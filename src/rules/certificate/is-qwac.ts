import { certificateRule } from '../checks/certificate-rule.js';
import { type Violation, violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/is-qwac',
  statement: 'The QCStatements say qualified (QcCompliance) and type web',
  sources: ['ETSI'],
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'Only a qualified website certificate (QWAC) identifies a TPP on the transport.',
  fix: 'Use the QWAC, not the seal certificate (QSealC) nor a plain TLS certificate.',
  examples: { complies: 'QcCompliance, QcType web', violates: 'QcType eseal' },
  judge: ({ qcCompliance, qcType }) => {
    const violations: Violation[] = [];
    if (!qcCompliance) violations.push(violation('certificate QcCompliance', 'the statement', 'absent'));
    // EN 319 412-5 4.2.3: a certificate is issued for one purpose.
    if (qcType.length !== 1 || qcType[0] !== 'web')
      violations.push(
        violation(
          'certificate QcType',
          qcType.includes('web') ? 'web alone' : 'web',
          qcType.join(', ') || 'absent',
        ),
      );
    return violations;
  },
});
