import rule from '../../../src/rules/certificate/key-strength.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'RSA 2048 with SHA-256', call: { certificate: aCertificate() } },
    {
      name: 'EC of 256',
      call: {
        certificate: aCertificate({
          keyType: 'ec',
          keySize: 256,
          curve: 'prime256v1',
          signatureAlgorithm: 'ecdsa-with-SHA256',
        }),
      },
    },
    {
      name: 'Ed25519',
      call: {
        certificate: aCertificate({ keyType: 'ed25519', keySize: 256, signatureAlgorithm: 'ed25519' }),
      },
    },
    {
      name: 'SHA-512',
      call: { certificate: aCertificate({ signatureAlgorithm: 'sha512WithRSAEncryption' }) },
    },
  ],
  violates: [
    {
      name: 'RSA 1024',
      call: { certificate: aCertificate({ keySize: 1024 }) },
      finds: [{ place: 'certificate public key', actual: 'rsa of 1024 bits' }],
    },
    { name: 'EC of 192', call: { certificate: aCertificate({ keyType: 'ec', keySize: 192 }) } },
    {
      name: 'a key of another kind',
      call: { certificate: aCertificate({ keyType: 'other', keySize: 4096 }) },
    },
    {
      name: 'SHA-1',
      call: { certificate: aCertificate({ signatureAlgorithm: 'sha1WithRSAEncryption' }) },
      finds: [{ place: 'certificate signature algorithm' }],
    },
    { name: 'MD5', call: { certificate: aCertificate({ signatureAlgorithm: 'md5WithRSAEncryption' }) } },
  ],
  notApplicable: [
    { name: 'no certificate is presented', call: { certificate: 'absent' } },
    { name: 'the browser of the PSU has none', call: { operation: 'oauth.authorize' } },
  ],
  notObserved: [{ name: 'a recording without certificates', call: { certificate: 'not-observed' } }],
});
