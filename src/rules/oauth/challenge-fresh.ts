import { isChallenge, methodOf } from '../checks/challenge.js';
import { onceOf } from '../checks/parameters.js';
import { judgeFreshness } from '../checks/used-once.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'oauth/challenge-fresh',
  statement: 'code_challenge was not used before',
  sources: ['RFC7636 7.1'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ['oauth.authorize'],
  why: 'Anybody who saw the verifier once knows it, so it protects no code when it is used again.',
  fix: 'Make a new verifier, and so a new challenge, for each authorization request.',
  examples: {
    complies: 'another challenge for each consent',
    violates: 'the same challenge for two consents',
  },
  check: (context) => {
    const challenge = onceOf(context.call.request.query, 'code_challenge');
    const method = methodOf(context.call.request.query);
    if (challenge === undefined || method === undefined) return 'not-applicable';
    // A constant such as `test` has not the form of a challenge first of all: one finding.
    if (!isChallenge(challenge, method)) return 'not-applicable';
    return judgeFreshness('challenge', 'code_challenge', challenge, context);
  },
});
