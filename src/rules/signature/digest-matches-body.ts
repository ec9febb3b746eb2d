import { judgeDigest } from '../checks/digest-causes.js';
import { digestRule } from '../checks/signature-rule.js';

export default digestRule({
  id: 'signature/digest-matches-body',
  statement: 'Digest is the hash of the body as it was sent, in its content coding',
  sources: ['BG 12', 'RFC3230 4.3.2'],
  refusal: { code: 'SIGNATURE_INVALID' },
  why: 'What arrived is not what was signed: the body changed after its digest was taken.',
  fix: 'Serialise the body once, hash these bytes, and send exactly them.',
  examples: {
    complies: 'the hash of the bytes sent',
    violates: 'the hash of the JSON before it was serialised again',
  },
  judge: ({ digest, isChanged }, { call }) => {
    if (digest === undefined || digest === null) return 'not-applicable';
    return isChanged ? 'not-observed' : judgeDigest(digest, call);
  },
});
