import { isReturnAddress } from '../../spec/index.js';
import { onceOf, parameterFaults, withoutThese } from '../checks/parameters.js';
import { defineRule, type Violation, violation } from '../rule.js';

const REQUIRED = ['scope', 'client_id', 'state', 'redirect_uri', 'code_challenge', 'response_type'];
const OPTIONAL = ['code_challenge_method'];
/** The sandbox takes any state (§Authentication 3), an empty one too: oauth/state-unguessable advises against that. */
const MAY_BE_EMPTY = { sandbox: ['state'], production: [] } as const;

/** Nobody is sent on to an address that is not proven (RFC 6749 4.1.2.1). */
const NO_REDIRECT: Readonly<Record<string, Violation['refusal']>> = {
  'query client_id': { page: 'client_id is missing or sent several times' },
  'query redirect_uri': { page: 'redirect_uri is missing, sent several times, or no address' },
};

export default defineRule({
  id: 'oauth/authorize-parameters',
  statement:
    'authorize carries scope, client_id, state, redirect_uri, code_challenge and response_type, each once',
  clauses: ['authentication.2', 'authentication.3', 'endpoint.oauth.authorize'],
  sources: ['RFC6749 3.1'],
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'invalid_request' },
  why: 'The bank cannot tell who asks for what, or where to send the PSU afterwards.',
  fix: 'Append scope, client_id, state, redirect_uri, code_challenge and response_type once each, percent-encoded, to the authorize address; code_challenge is the SHA-256 of a fresh code_verifier, as base64url without padding.',
  examples: {
    complies:
      '?scope=AIS:VALID_CONSENT_ID&client_id=VALID_CLIENT_ID&state=…&redirect_uri=https%3A%2F%2Ftpp.example%2Fcb&code_challenge=…&response_type=code',
    violates: '?scope=AIS:VALID_CONSENT_ID&client_id=VALID_CLIENT_ID&response_type=code',
  },
  check: ({ call, options }) => {
    const { query } = call.request;
    const { optional } = options.dialect.profile?.oauth ?? {};
    const required = withoutThese(REQUIRED, optional);
    const faults = parameterFaults(query, required, OPTIONAL, 'query', MAY_BE_EMPTY[options.profile]);
    const redirectUri = onceOf(query, 'redirect_uri');
    if (redirectUri !== undefined && !isReturnAddress(redirectUri))
      faults.push(violation('query redirect_uri', 'an absolute URI, of the web or of an app', redirectUri));
    return faults.map((fault) => {
      const refusal = NO_REDIRECT[fault.place];
      return refusal === undefined ? fault : { ...fault, refusal };
    });
  },
});
