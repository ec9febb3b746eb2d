import { isForClients } from '../../certificate/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { type Violation, violation } from '../rule.js';

/** id-kp-tls-binding (ETSI TS 119 411-5): of a 2-QWAC. */
const TLS_BINDING = '0.4.0.194115.1.0';
const SERVER_AUTH: ReadonlySet<string> = new Set(['serverAuth', '1.3.6.1.5.5.7.3.1']);

/** The kind of certificate that such usages make, as far as it is known, so that the holder knows what to order instead. */
function meaningOf(usages: readonly string[]): string {
  if (usages.includes(TLS_BINDING))
    return ': a 2-QWAC, which vouches for another TLS certificate by a signature and is not for TLS itself';
  if (usages.some((usage) => SERVER_AUTH.has(usage)))
    return ': a certificate for web servers only, as CAs that browsers trust issue them now that the root programs of browsers end clientAuth (2026 and 2027)';
  return '';
}

export default certificateRule({
  id: 'certificate/client-usage',
  statement: 'Key usage contains digitalSignature, and extended key usage, if present, contains clientAuth',
  sources: ['RFC5280 4.2.1.3', 'RFC5280 4.2.1.12'],
  severity: { sandbox: 'should', production: 'should' },
  why: 'A strict TLS server refuses a certificate that is not made for clients, in the handshake already.',
  fix: 'Ask your issuer for key usage digitalSignature and extended key usage clientAuth, from a CA hierarchy that is not under the root programs of browsers: those end clientAuth in 2026 and 2027. A 2-QWAC needs a TLS certificate beside it.',
  examples: {
    complies: 'digitalSignature; clientAuth, serverAuth',
    violates: 'digitalSignature; serverAuth',
  },
  judge: (facts) => {
    const { keyUsage, extendedKeyUsage } = facts;
    const violations: Violation[] = [];
    if (keyUsage === null || !keyUsage.includes('digitalSignature'))
      violations.push(
        violation('certificate key usage', 'digitalSignature', keyUsage?.join(', ') || 'absent'),
      );
    if (extendedKeyUsage !== null && !isForClients(facts))
      violations.push(
        violation(
          'certificate extended key usage',
          'clientAuth',
          `${extendedKeyUsage.join(', ') || 'empty'}${meaningOf(extendedKeyUsage)}`,
        ),
      );
    return violations;
  },
});
