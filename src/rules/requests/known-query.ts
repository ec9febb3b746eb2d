import { nearestOf, OAUTH_PARAMETERS, operationRow } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { isKnown } from '../checks/known-calls.js';
import { isAuthorizeParameter } from '../checks/parameters.js';
import { fieldsInUrl } from '../checks/token-flow.js';
import { defineRule, type Violation, violation } from '../rule.js';

const MOST = 10;

export default defineRule({
  id: 'requests/known-query',
  statement:
    'The operation knows every query parameter (the finding suggests the nearest); authorize also knows any parameter registered for OAuth or OpenID Connect (nonce, prompt, login_hint, ui_locales, acr_values, resource, …)',
  clauses: ['service.rule.1', 'errors.1'],
  sources: ['RFC6749 3.1'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: isKnown,
  why: 'A parameter that the operation does not know does nothing: often a misspelt one.',
  fix: 'Use the parameters that docs/endpoints.md lists for the operation.',
  examples: { complies: '?bookingStatus=booked', violates: '?bookingstatus=booked' },
  check: (context) => {
    const { call } = context;
    if (call.operation === null || call.request.query.length === 0) return 'not-applicable';
    const known = operationRow(call.operation).query;
    const { queryIs } = context.options.dialect;
    const judgedElsewhere = fieldsInUrl(call);
    let violations: Violation[] | undefined;
    for (const [name] of call.request.query) {
      if (known.includes(name) || judgedElsewhere.includes(name)) continue;
      if (queryIs(name, call.operation) === 'further') continue;
      if (call.operation === 'oauth.authorize' && OAUTH_PARAMETERS.has(name)) continue;
      if (call.operation === 'oauth.discovery' && isAuthorizeParameter(name)) continue;
      violations ??= [];
      if (violations.length === MOST) break;
      const nearest = nearestOf(name.slice(0, 100), known);
      const expected = nearest === '' ? 'no such parameter' : `${nearest}, or no such parameter`;
      violations.push(violation(`query ${name.slice(0, 100)}`, expected, name));
    }
    return violations === undefined || unlessGiven(context, violations);
  },
});
