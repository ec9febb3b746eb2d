import { isPlain, methodOf } from '../checks/challenge.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/challenge-method',
  statement: 'code_challenge_method is S256 or absent; in production plain too (absent means plain)',
  clauses: [
    'authorize.code_challenge_method',
    'endpoint.oauth.authorize',
    'discovery.code_challenge_methods_supported',
  ],
  sources: ['RFC7636 4.3'],
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_request' },
  why: 'With an unknown method, the bank cannot compare verifier and challenge.',
  fix: 'Send code_challenge_method=S256 in this spelling.',
  examples: { complies: 'code_challenge_method=S256', violates: 'code_challenge_method=SHA256' },
  check: ({ call, options }) => {
    const method = methodOf(call.request.query);
    if (method === undefined) return 'not-applicable';
    const production = options.profile === 'production';
    if (method === 'S256' || method === '' || (production && isPlain(method))) return true;
    return violation(
      'query code_challenge_method',
      production ? 'S256 (or plain)' : 'S256, or no parameter',
      method,
    );
  },
});
