import rule from '../../../src/rules/certificate/key-strength.js';
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'RSA 2048 with SHA-256': { call: { certificate: aCertificate() } },
    'EC of 256': {
      call: {
        certificate: aCertificate({
          keyType: 'ec',
          keySize: 256,
          curve: 'prime256v1',
          signatureAlgorithm: 'ecdsa-with-SHA256',
        }),
      },
    },
    Ed25519: {
      call: {
        certificate: aCertificate({ keyType: 'ed25519', keySize: 256, signatureAlgorithm: 'ed25519' }),
      },
    },
    'SHA-512': { call: { certificate: aCertificate({ signatureAlgorithm: 'sha512WithRSAEncryption' }) } },
  },
  violates: {
    'RSA 1024': {
      call: { certificate: aCertificate({ keySize: 1024 }) },
      finds: [{ place: 'certificate public key', actual: 'RSA with 1024 bits' }],
    },
    'EC of 192': { call: { certificate: aCertificate({ keyType: 'ec', keySize: 192 }) } },
    'a key of another kind': { call: { certificate: aCertificate({ keyType: 'other', keySize: 4096 }) } },
    'SHA-1': {
      call: { certificate: aCertificate({ signatureAlgorithm: 'sha1WithRSAEncryption' }) },
      finds: [{ place: 'certificate signature algorithm' }],
    },
    MD5: { call: { certificate: aCertificate({ signatureAlgorithm: 'md5WithRSAEncryption' }) } },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
