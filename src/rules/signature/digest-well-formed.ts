import { causeOfDigest, digestAlgorithm } from '../checks/digest-causes.js';
import { digestRule } from '../checks/signature-rule.js';
import { violation } from '../rule.js';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const FORM = 'SHA-256= or SHA-512= and the base64 of the hash';

/** Whether the value is as long as the base64 of this hash. */
const fits = (algorithm: string, value: string): boolean =>
  digestAlgorithm(algorithm)?.length === value.length && BASE64.test(value);

export default digestRule({
  id: 'signature/digest-well-formed',
  statement: 'Digest is SHA-256 or SHA-512, an equals sign, and the hash in base64',
  sources: ['BG 12', 'RFC3230 4.3.2'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot compare the digest with the body.',
  fix: 'Encode the bytes of the hash, not its hexadecimal text, in base64 with + and /, behind the name of the hash.',
  examples: {
    complies: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    violates: 'SHA-256=e3b0c442…',
  },
  judge: ({ digest, isChanged }, { call }) => {
    if (digest === undefined) return 'not-applicable';
    if (isChanged) return 'not-observed';
    if (digest === null) return violation('header Digest', FORM, 'a digest without them');
    if (digest.some(({ algorithm, value }) => fits(algorithm, value))) return true;
    const { body } = call.request;
    const sent = { body, content: call.content, contentType: call.header['content-type'] };
    const cause = digest.map((entry) => causeOfDigest(entry, sent)).find((one) => one !== null);
    return violation('header Digest', FORM, `a digest in another form${cause ? `: ${cause}` : ''}`);
  },
});
