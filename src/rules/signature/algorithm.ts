import { SIGNATURE_ALGORITHMS } from '../../certificate/index.js';
import { signatureRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

const KNOWN = Object.keys(SIGNATURE_ALGORITHMS);
const FITTING: Readonly<Record<string, string>> = { rsa: 'rsa-', ec: 'ecdsa-' };

export default signatureRule({
  id: 'signature/algorithm',
  statement: `The algorithm of the signature is ${KNOWN.join(', ')}, and is one of the key`,
  sources: ['BG 12', 'CAVAGE 2.1.3'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'Banks refuse other algorithms; SHA-1 can be forged.',
  fix: 'Sign with rsa-sha256 or rsa-sha512 (an elliptic key: ecdsa-sha256), and name it in lower case.',
  examples: { complies: 'algorithm="rsa-sha256"', violates: 'algorithm="rsa-sha1"' },
  judge: ({ parameters, seal }) => {
    const algorithm = parameters?.parameters.get('algorithm');
    if (algorithm === undefined) return 'not-applicable';
    if (!Object.hasOwn(SIGNATURE_ALGORITHMS, algorithm))
      return violation('header Signature', `the algorithm ${KNOWN.join(', ')}`, algorithm);
    const start = FITTING[seal?.facts.keyType ?? ''];
    if (start === undefined || algorithm === 'hs2019' || algorithm.startsWith(start)) return true;
    return violation(
      'header Signature',
      `an algorithm of the ${seal?.facts.keyType} key of the certificate`,
      algorithm,
    );
  },
});
