import { describeVerifier, isVerifier } from '../checks/challenge.js';
import { formOnce } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/verifier-well-formed',
  statement: 'code_verifier has 43 to 128 unreserved characters',
  sources: ['RFC7636 4.1'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.token'],
  needs: ['grant:authorization_code', 'clear:body code_verifier'],
  refusal: { token: 'invalid_grant' },
  why: 'A shorter verifier, such as a GUID, can be guessed; banks refuse it.',
  fix: 'Make 32 random bytes and encode them as base64url: 43 characters.',
  examples: {
    complies: 'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    violates: 'code_verifier=0f8fad5b-d9cb-469f-a165-70867728950e',
  },
  check: (context) => {
    const verifier = formOnce(context.call, 'code_verifier');
    if (verifier === undefined) return 'not-applicable';
    if (isVerifier(verifier)) return true;
    return violation(
      'body code_verifier',
      '43 to 128 characters of A-Z a-z 0-9 - . _ ~',
      describeVerifier(verifier),
    );
  },
});
