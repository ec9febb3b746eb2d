import type { CertificateFacts } from '../../certificate/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { type Violation, violation } from '../rule.js';

/** In bits; no size of a key of another kind is enough. */
const SMALLEST: Readonly<Record<CertificateFacts['keyType'], number>> = {
  rsa: 2048,
  ec: 256,
  ed25519: 0,
  ed448: 0,
  other: Number.POSITIVE_INFINITY,
};
const NAMES: Readonly<Record<CertificateFacts['keyType'], string>> = {
  rsa: 'RSA',
  ec: 'EC',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  other: 'another algorithm',
};
const WEAK_DIGEST = /sha-?1(?!\d)|md[245]/i;

export default certificateRule({
  id: 'certificate/key-strength',
  statement: 'RSA of 2048 bits or more, EC of 256 or more, no SHA-1 or MD5 signature',
  sources: ['ETSI'],
  severity: { sandbox: 'should', production: 'must' },
  refusal: { code: 'CERTIFICATE_INVALID' },
  why: 'A weak key or signature can be forged, and with it the identity of the TPP.',
  fix: 'Use a certificate with RSA of 2048 bits or more, or EC of 256 or more, signed with SHA-256 or better.',
  examples: { complies: 'RSA 2048, sha256WithRSAEncryption', violates: 'RSA 1024, sha1WithRSAEncryption' },
  judge: ({ keyType, keySize, signatureAlgorithm }) => {
    const violations: Violation[] = [];
    if (keySize < SMALLEST[keyType])
      violations.push(
        violation(
          'certificate public key',
          'RSA of 2048 bits or more, EC of 256 or more, Ed25519 or Ed448',
          `${NAMES[keyType]} with ${keySize} bits`,
        ),
      );
    if (WEAK_DIGEST.test(signatureAlgorithm))
      violations.push(violation('certificate signature algorithm', 'SHA-256 or better', signatureAlgorithm));
    return violations;
  },
});
