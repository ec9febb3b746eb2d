import { describeChallenge, isChallenge, isPlain, methodOf } from '../checks/challenge.js';
import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/challenge-well-formed',
  statement:
    'code_challenge is 43 base64url characters without padding (S256), or 43 to 128 unreserved characters (plain)',
  clauses: ['authorize.code_challenge'],
  sources: ['RFC7636 4.2'],
  severity: { sandbox: 'note', production: 'must' },
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_request' },
  why: 'The bank compares texts: a challenge in another alphabet, or with padding, never equals what it computes.',
  fix: 'Use S256, and encode the 32 bytes of SHA-256(code_verifier) as base64url: - for +, _ for /, no = at the end.',
  examples: {
    complies: 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    violates: 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw%2BcM%3D',
  },
  check: ({ call }) => {
    const challenge = onceOf(call.request.query, 'code_challenge');
    const method = methodOf(call.request.query);
    if (challenge === undefined || method === undefined) return 'not-applicable';
    // The form that another method asks for is not known; oauth/challenge-method names it.
    if (method !== 'S256' && !isPlain(method)) return 'not-applicable';
    if (isChallenge(challenge, method)) return true;
    return violation(
      'query code_challenge',
      isPlain(method)
        ? '43 to 128 unreserved characters'
        : '43 base64url characters (A-Z a-z 0-9 - _) without padding',
      describeChallenge(challenge),
    );
  },
});
