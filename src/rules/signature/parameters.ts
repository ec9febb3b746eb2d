import { causeOfSignature } from '../checks/signature-causes.js';
import { signatureRule } from '../checks/signature-rule.js';
import { type Violation, violation } from '../rule.js';

const NEEDED = ['keyId', 'algorithm', 'headers', 'signature'] as const;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export default signatureRule({
  id: 'signature/parameters',
  statement: 'Signature has keyId, algorithm, headers and signature, each once; signature is base64',
  sources: ['BG 12', 'CAVAGE 2.1'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'The bank cannot tell who signed, what, or how.',
  fix: 'Send Signature: keyId="…",algorithm="…",headers="…",signature="…".',
  examples: {
    complies: 'keyId="SN=9FA1,CA=…",algorithm="rsa-sha256",headers="digest x-request-id",signature="…"',
    violates: 'Signature keyId="…", as in an Authorization header',
  },
  judge: (signed, { call }) => {
    const { signature, parameters } = signed;
    if (signature === undefined) return 'not-applicable';
    if ('problem' in signature)
      return violation('header Signature', 'name="value",…', `a header that ${signature.problem}`);
    const violations: Violation[] = [];
    for (const name of NEEDED)
      if (!signature.parameters.get(name.toLowerCase()))
        violations.push(
          violation('header Signature', `a signature with ${name}`, `a signature without ${name}`),
        );
    const made = parameters?.parameters.get('signature') ?? '';
    if (made !== '' && !BASE64.test(made)) {
      const cause = causeOfSignature(signed, call);
      violations.push(
        violation(
          'header Signature',
          'a signature in base64',
          cause === null ? 'a signature in another form' : `a signature in another form: ${cause}`,
        ),
      );
    }
    const expires = Number(signature.parameters.get('expires') ?? Number.POSITIVE_INFINITY);
    if (expires * 1000 < call.at)
      violations.push(
        violation(
          'header Signature',
          'a signature that has not expired',
          'a signature whose expires has passed',
        ),
      );
    return violations;
  },
});
