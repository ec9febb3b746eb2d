import { parseScope } from '../../spec/index.js';
import { answerMember } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/token-scope-names-resource',
  statement: 'The scope of a token is AIS:<consent id> or PIS:<payment id>',
  clauses: ['token-response.scope'],
  judges: 'aspsp',
  appliesTo: ['oauth.token'],
  needs: ['bank-success', 'answer-json'],
  why: 'The TPP must use the token that belongs to the consent, and learns only here which that is.',
  fix: 'Answer with the scope that was authorised, such as AIS:VALID_CONSENT_ID.',
  examples: { complies: '"scope":"AIS:VALID_CONSENT_ID"', violates: '"scope":"AIS"' },
  check: ({ answer }) => {
    const scope = answerMember(answer, 'scope');
    if (typeof scope !== 'string') return 'not-applicable';
    // PIIS:<consent id> is the form of the family for funds confirmation (oauth/scope-form).
    if (parseScope(scope) !== undefined) return true;
    return { place: 'answer body scope', expected: 'AIS:<consent id> or PIS:<payment id>', actual: scope };
  },
});
