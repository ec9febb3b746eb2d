import type { Call } from '../../exchange/index.js';
import { authorizeRequestOf, keyOf, type Ledger } from '../../ledger/index.js';
import { authorisationIn } from '../checks/authorize-flow.js';
import { isAuthorizeParameter, onceOf } from '../checks/parameters.js';
import { defineRule, type Outcome, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/discovery-read-first',
  statement:
    'If the scaOAuth link is a discovery link, the TPP reads the document before calling authorize, and does not append the parameters to the link itself',
  clauses: [
    'authentication.4',
    'authorize.link.discovery',
    'authorize.link.direct',
    'endpoint.oauth.discovery',
    'versioning.3',
  ],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['oauth.authorize', 'oauth.discovery'],
  why: 'A client that guesses the authorize address, or appends to the wrong one, breaks when the bank moves it.',
  fix: 'GET the link as it is, read authorization_endpoint, and append the parameters to that address.',
  examples: {
    complies: 'GET …/openid-configuration?authorizationId=A, then authorization_endpoint with ?scope=…',
    violates: 'GET …/openid-configuration?authorizationId=A?scope=AIS:C&client_id=…',
  },
  check: ({ call, ledger }) => {
    if (call.operation === 'oauth.discovery') return judgeDiscovery(call);
    const authorisation = authorisationIn({ call, ledger });
    if (authorisation === undefined || authorisation.link === null) return 'not-observed';
    if (authorisation.link === 'direct') return 'not-applicable';
    if (authorisation.discoveryReadAt !== null || (authorisation.openReads?.length ?? 0) > 0) return true;
    // The steps of the bank's page belong to a request that was judged when it came.
    if (isUnderWay(call, ledger, authorisation.scope)) return 'not-applicable';
    // Whose flow it is cannot be told, and so neither whether that TPP has read its document.
    if (authorisation.shared === true) return 'not-observed';
    return violation(
      'path authorisationId',
      'one whose discovery document was read before authorize was called',
      'an authorisation whose discovery document was not read',
    );
  },
});

function isUnderWay(call: Call, ledger: Ledger, scope: string): boolean {
  const asked = onceOf(call.request.query, 'scope') ?? scope;
  return ledger.authorizes.has(keyOf.authorize(authorizeRequestOf(call, asked)));
}

function judgeDiscovery({ request: { query } }: Call): Outcome {
  const expected = 'the link as it was given; the parameters go to its authorization_endpoint';
  for (const [name, value] of query)
    if (name === 'authorizationId' && value.includes('?'))
      return violation('query authorizationId', expected, 'a second "?" after the authorisation id');
  const appended = query.flatMap(([name]) => (isAuthorizeParameter(name) ? [name] : []));
  if (appended.length === 0) return true;
  return violation(
    `query ${appended[0]}`,
    expected,
    `one of the appended parameters: ${appended.join(', ')}`,
  );
}
