import type { Call } from '../../exchange/index.js';
import { isChallenge, isPlain, methodOf } from '../checks/challenge.js';
import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

/** A text of that form may be a verifier too, so it is no more than a likeness. */
const looksHashed = ({ request: { query } }: Call): boolean =>
  isChallenge(onceOf(query, 'code_challenge') ?? '', 'S256');
const FAILS = ': if the challenge is a hash, POST /token fails with invalid_grant';

export default defineRule({
  id: 'oauth/challenge-uses-s256',
  statement: 'The request names the method, and it is S256',
  clauses: ['authorize.code_challenge_method'],
  sources: ['RFC9700 2.1.1'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['oauth.authorize'],
  why: 'A plain challenge is the verifier itself. Without the parameter, a bank takes an S256 hash for a plain challenge, and refuses the token.',
  fix: 'Send the SHA-256 hash of the verifier as the challenge, and add code_challenge_method=S256.',
  examples: {
    complies: 'code_challenge_method=S256',
    violates: 'no code_challenge_method; plain (production)',
  },
  check: ({ call, options }) => {
    const method = methodOf(call.request.query);
    if (method === 'S256') return true;
    // Methods that oauth/challenge-method forbids need no advice: plain is for production only.
    if (method === undefined || !isPlain(method)) return 'not-applicable';
    if (method === 'plain' && options.profile === 'sandbox') return 'not-applicable';
    return violation(
      'query code_challenge_method',
      'S256',
      method || `absent, which means plain${looksHashed(call) ? FAILS : ''}`,
    );
  },
});
