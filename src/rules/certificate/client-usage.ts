import { certificateRule } from '../checks/certificate-rule.js';
import { type Violation, violation } from '../rule.js';

const CLIENT_USAGES: ReadonlySet<string> = new Set([
  'clientAuth',
  '1.3.6.1.5.5.7.3.2',
  'anyExtendedKeyUsage',
  '2.5.29.37.0',
]);

export default certificateRule({
  id: 'certificate/client-usage',
  statement: 'Key usage contains digitalSignature, and extended key usage, if present, contains clientAuth',
  sources: ['RFC5280 4.2.1.3', 'RFC5280 4.2.1.12'],
  severity: { sandbox: 'should', production: 'should' },
  why: 'A strict TLS server refuses a certificate that is not made for clients.',
  fix: 'Ask your issuer for key usage digitalSignature and extended key usage clientAuth.',
  examples: {
    complies: 'digitalSignature; clientAuth, serverAuth',
    violates: 'digitalSignature; serverAuth',
  },
  judge: ({ keyUsage, extendedKeyUsage }) => {
    const violations: Violation[] = [];
    if (keyUsage === null || !keyUsage.includes('digitalSignature'))
      violations.push(
        violation('certificate key usage', 'digitalSignature', keyUsage?.join(', ') || 'absent'),
      );
    if (extendedKeyUsage !== null && !extendedKeyUsage.some((usage) => CLIENT_USAGES.has(usage)))
      violations.push(
        violation('certificate extended key usage', 'clientAuth', extendedKeyUsage.join(', ') || 'empty'),
      );
    return violations;
  },
});
