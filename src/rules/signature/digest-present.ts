import { digestRule } from '../checks/signature-rule.js';

const EMPTY = 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

export default digestRule({
  id: 'signature/digest-present',
  statement: 'A signed request has a Digest, also if it has no body',
  sources: ['BG 12', 'RFC3230 4.3.2'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A signature covers headers only: without a digest, anybody on the way can change the body.',
  fix: 'Hash the body as it is sent, an empty one too, and send Digest: SHA-256=<base64>.',
  examples: { complies: `Digest: ${EMPTY} of a GET`, violates: 'a signed GET without Digest' },
  judge: ({ digest, signature }, { call }, asks) => {
    if (digest !== undefined) return true;
    if (asks !== 'required' && signature === undefined) return 'not-applicable';
    const isEmpty = call.content.kind === 'none';
    return {
      place: 'header Digest',
      expected: isEmpty
        ? `${EMPTY}, the digest of an empty body`
        : 'the digest of the body, SHA-256=<base64>',
      actual: 'absent',
    };
  },
});
