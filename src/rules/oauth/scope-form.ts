import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/scope-form',
  statement: 'scope is AIS:<consent id> or PIS:<payment id> (PIIS:<consent id> for funds), one only',
  clauses: ['authorize.scope'],
  sources: ['BG'],
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_scope' },
  why: 'The scope names the consent or payment that the PSU must authorise.',
  fix: 'Send AIS: or PIS: in capitals and the id of the creation, nothing else; the names account and payment of the discovery document are not taken.',
  examples: { complies: 'scope=AIS:VALID_CONSENT_ID', violates: 'scope=accounts' },
  check: ({ call, options: { dialect } }) => {
    const scope = onceOf(call.request.query, 'scope');
    if (scope === undefined) return 'not-applicable';
    if (dialect.isScope(scope)) return true;
    return violation('query scope', `${dialect.scopeForms}, one only`, scope);
  },
});
