/** The scope says which consent or payment a token is for. */

import { memberOf } from '../../exchange/index.js';
import { parseScope } from '../../spec/index.js';
import { readSuccess } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/token-scope-names-resource',
  statement: 'The scope of a token is AIS:<consent id> or PIS:<payment id>',
  clauses: ['token-response.scope'],
  sources: [],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  appliesTo: ['oauth.token'],
  needs: [],
  refusal: null,
  why: 'The TPP must use the token that belongs to the consent, and learns only here which that is.',
  fix: 'Answer with the scope that was authorised, such as AIS:VALID_CONSENT_ID.',
  examples: { complies: '"scope":"AIS:VALID_CONSENT_ID"', violates: '"scope":"AIS"' },
  check: (context) => {
    const body = readSuccess(context);
    if (typeof body === 'string') return body;
    const scope = memberOf(body.value, 'scope');
    if (typeof scope !== 'string') return 'not-applicable';
    // PIIS:<consent id> is the form of the family for funds confirmation (oauth/scope-form).
    if (parseScope(scope) !== undefined) return true;
    return { place: 'answer body scope', expected: 'AIS:<consent id> or PIS:<payment id>', actual: scope };
  },
});
