import { sentOnceOf } from '../checks/parameters.js';
import { bitsOf, isGuessable, isMonotonous, isSequence } from '../checks/state-strength.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/state-unguessable',
  statement: 'state has 128 bits or more by length and alphabet, and is no constant',
  clauses: ['authorize.state'],
  sources: ['RFC6749 10.10'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ['oauth.authorize'],
  why: 'An attacker who can guess the state can bring a code of their own into the session of the PSU.',
  fix: 'Make 16 or more random bytes for each request, in base64url or hexadecimal.',
  examples: { complies: 'state=4f0e1c63b7a94d0c8f2b5a7d9e3c1f60', violates: 'state=test' },
  check: ({ call, options }) => {
    const state = sentOnceOf(call.request.query, 'state');
    if (state === undefined) return 'not-applicable';
    // Production needs a state: oauth/authorize-parameters.
    if (state === '' && options.profile === 'production') return 'not-applicable';
    if (!isGuessable(state)) return true;
    return violation(
      'query state',
      '128 bits or more: 22 random base64url characters, or 32 hexadecimal digits',
      describeState(state),
    );
  },
});

function describeState(state: string): string {
  if (state === '') return 'an empty string';
  const shown = `"${state.slice(0, 40)}"`;
  if (isMonotonous(state)) return `${shown}, a constant`;
  return isSequence(state)
    ? `${shown}, characters in their order`
    : `${state.length} characters, ${Math.floor(bitsOf(state))} bits at most`;
}
