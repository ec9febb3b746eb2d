import { keyIdFaults } from '../../certificate/index.js';
import { signatureRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

export default signatureRule({
  id: 'signature/key-id-names-certificate',
  statement:
    'keyId names the certificate in TPP-Signature-Certificate: SN, its serial number in hexadecimal, and CA, its issuer',
  sources: ['BG 12'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'The bank looks the certificate up by its keyId, and finds none or another one.',
  fix: 'Write keyId="SN=<serial number in hexadecimal>,CA=<issuer>".',
  examples: { complies: 'SN=9FA1,CA=CN=Test CA,O=Test,C=BE', violates: 'SN=40865, in decimal' },
  judge: ({ parameters, seal }) => {
    const keyId = parameters?.parameters.get('keyid');
    if (keyId === undefined || seal === null) return 'not-applicable';
    return keyIdFaults(keyId, seal.facts).map(({ expected, actual }) =>
      violation('header Signature', expected, actual),
    );
  },
});
