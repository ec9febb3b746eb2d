import { scopeOf, standingOf } from '../checks/authorize-flow.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/scope-names-created-resource',
  statement:
    'The scope names a consent or payment that the same TPP created through this gateway, or a sandbox id under profile sandbox',
  clauses: ['authorize.scope'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_scope' },
  why: 'Nobody can authorise a consent or payment that the bank does not hold for this TPP.',
  fix: 'Take the consentId or paymentId from the answer to the creation: AIS: for consents, PIS: for payments.',
  examples: {
    complies: 'scope=AIS:C, after POST /consents answered consentId C',
    violates: 'scope=AIS:C, where C is made up, a payment, or of another TPP',
  },
  check: (context) => {
    const scope = scopeOf(context);
    if (scope === undefined) return 'not-applicable';
    const standing = standingOf(scope, context);
    if (standing === 'named') return true;
    if (standing === 'unknown') return 'not-observed';
    const kind = scope.service === 'PIS' ? 'payment' : 'consent';
    return violation(
      'query scope',
      `${scope.service}: and the id of a ${kind} that this TPP created`,
      `${scope.service}:${scope.id}`,
    );
  },
});
