import { onceOf } from '../checks/parameters.js';
import { isGuessable } from '../checks/state-strength.js';
import { judgeFreshness } from '../checks/used-once.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'oauth/state-fresh',
  statement: 'state was not used before',
  clauses: ['authorize.state'],
  sources: ['RFC6749 10.12'],
  severity: { sandbox: 'note', production: 'must' },
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_request' },
  why: 'A state that comes again does not protect from forged returns.',
  fix: 'Make a new state for each authorization request and bind it to the session of the PSU.',
  examples: { complies: 'another state for each consent', violates: 'the same state for two consents' },
  check: (context) => {
    const state = onceOf(context.call.request.query, 'state');
    // A constant such as `test` is guessable first of all: one finding.
    if (state === undefined || isGuessable(state)) return 'not-applicable';
    return judgeFreshness('state', 'state', state, context);
  },
});
