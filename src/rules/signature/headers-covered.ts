import { REQUEST_TARGET } from '../../exchange/index.js';
import { signatureRule } from '../checks/signature-rule.js';
import { type Violation, violation } from '../rule.js';

/** These are signed if they are sent; that a Digest is missing is for a rule of its own. */
const CONDITIONAL = ['digest', 'psu-id', 'psu-corporate-id', 'date', 'tpp-redirect-uri'];

export default signatureRule({
  id: 'signature/headers-covered',
  statement:
    'The signature covers digest and x-request-id, and of psu-id, psu-corporate-id, date and tpp-redirect-uri those that are sent; all that it lists is there',
  sources: ['BG 12', 'CAVAGE 2.3'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'What is not signed can be changed on the way, and what is missing cannot be verified.',
  fix: 'List the headers in `headers`, in the order in which they are signed, and send each of them.',
  examples: { complies: 'headers="digest x-request-id psu-id"', violates: 'headers="x-request-id"' },
  judge: ({ parameters }, { call }) => {
    if (parameters === null) return 'not-applicable';
    const { covered } = parameters;
    const wanted = ['x-request-id', ...CONDITIONAL.filter((name) => call.header[name] !== undefined)];
    const violations: Violation[] = wanted
      .filter((name) => !covered.includes(name))
      .map((name) =>
        violation(
          'header Signature',
          `a signature of ${name}, too`,
          `a signature of ${covered.join(' ') || 'no header'}`,
        ),
      );
    for (const name of covered) {
      const isThere = name.startsWith('(')
        ? name === REQUEST_TARGET || parameters.parameters.has(name.slice(1, -1))
        : call.header[name] !== undefined;
      if (!isThere && name !== 'digest')
        violations.push(
          violation(
            'header Signature',
            'a signature of headers that are sent',
            `a signature of ${name}, which was not sent`,
          ),
        );
    }
    return violations;
  },
});
