import { SIGNATURE_ALGORITHMS } from '../../certificate/index.js';
import { signedText } from '../../exchange/index.js';
import { causeOfSignature, signedBytes } from '../checks/signature-causes.js';
import { signatureRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

const EXPECTED = 'a signature of the listed headers by the key of the certificate';

export default signatureRule({
  id: 'signature/verifies',
  statement: 'The signature verifies: the key of the certificate signed the listed headers as they were sent',
  sources: ['BG 12', 'CAVAGE 2.5'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'Nobody can tell that the TPP sent this request, or that it sent it so.',
  fix: 'Sign `name: value` of each listed header, names in lower case, a newline between two of them and none at the end, exactly as sent.',
  examples: {
    complies: 'digest: SHA-256=…\\nx-request-id: 99391c7e-…',
    violates: 'the same with a newline at the end',
  },
  judge: (signed, { call }) => {
    const { lines, parameters, probe } = signed;
    // Rules of their own judge what is missing or cannot be read.
    if (lines === null || parameters === null || probe === null) return 'not-applicable';
    const scheme = probe.schemeOf(signedBytes(signedText(lines)));
    const algorithm = parameters.parameters.get('algorithm') ?? 'hs2019';
    const allowed = Object.hasOwn(SIGNATURE_ALGORITHMS, algorithm) ? SIGNATURE_ALGORITHMS[algorithm] : [];
    if (scheme !== null && allowed?.includes(scheme)) return true;
    const cause =
      scheme === null ? causeOfSignature(signed, call) : `it was made by ${scheme}, not by ${algorithm}`;
    return violation('header Signature', EXPECTED, `a wrong signature: ${cause ?? 'no known cause'}`);
  },
});
