import {
  consentScope,
  isSandboxResource,
  parseScope,
  SANDBOX,
  SANDBOX_CODES,
  type Scope,
} from '../../spec/index.js';
import {
  authorisationIdOf,
  authorisationIn,
  isFor,
  namedBy,
  scopeOf,
  standingOf,
} from '../checks/authorize-flow.js';
import { type CallContext, defineRule, violation } from '../rule.js';

/** Scopes that the specification says to send in the sandbox, whichever id a creation gave (§Authentication 3). */
const DOCUMENTED = new Set<string>([consentScope(SANDBOX.validConsent), SANDBOX_CODES.PIS_VALID_CODE]);

const isPayment = (scope: Scope | undefined): boolean => scope?.service === 'PIS';

export default defineRule({
  id: 'oauth/scope-matches-authorisation',
  statement: 'The scope names the consent or payment whose authorisation is in the path',
  clauses: ['authorize.scope'],
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_scope' },
  why: 'The PSU would authorise another consent or payment than the TPP uses.',
  fix: 'Take scope and authorize address from the same answer.',
  examples: {
    complies: 'scope=AIS:C at the authorize address of consent C',
    violates: 'scope=AIS:D at the authorize address of consent C',
  },
  check: (context) => {
    const scope = scopeOf(context);
    if (scope === undefined) return 'not-applicable';
    const authorisation = authorisationIn(context);
    if (authorisation === undefined) return 'not-observed';
    if (isFor(authorisation, scope)) return true;
    // A scope that names nothing is one fault, and another rule's.
    if (standingOf(scope, context) !== 'named') return 'not-applicable';
    if (belongs(scope, parseScope(authorisation.scope), context)) return true;
    if (authorisation.shared === true) return 'not-observed';
    return violation(
      'query scope',
      `${authorisation.scope}, as the authorisation in the path`,
      `${scope.service}:${scope.id}`,
    );
  },
});

/** Sandbox authorisation ids serve several resources, of which the ledger keeps the last; so do its fixed resources. */
function belongs(scope: Scope, own: Scope | undefined, context: CallContext): boolean {
  const id = authorisationIdOf(context.call);
  if (namedBy(scope, context)?.authorisations.includes(id)) return true;
  return (
    context.options.profile === 'sandbox' &&
    isSandboxResource(own?.id ?? '') &&
    DOCUMENTED.has(`${scope.service}:${scope.id}`) &&
    isPayment(own) === isPayment(scope)
  );
}
