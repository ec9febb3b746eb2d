import { isSameAddress } from '../../exchange/index.js';
import { isReturnAddress } from '../../spec/index.js';
import { authorisationIn, returnAddressOf } from '../checks/authorize-flow.js';
import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/redirect-uri-matches-creation',
  statement: 'redirect_uri equals the TPP-Redirect-URI of the creation, character for character',
  clauses: ['authorize.redirect_uri'],
  sources: ['RFC9700'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.authorize'],
  refusal: { page: 'redirect_uri is not the TPP-Redirect-URI of the creation' },
  why: 'Any other address could be that of an attacker; banks stop here with an error page.',
  fix: 'Keep the TPP-Redirect-URI of the creation and send it again, percent-encoded once.',
  examples: {
    complies: 'redirect_uri=https%3A%2F%2Ftpp.example%2Fcb, after TPP-Redirect-URI: https://tpp.example/cb',
    violates: 'redirect_uri=https%3A%2F%2Ftpp.example%2Fcb%2F, after the same',
  },
  check: (context) => {
    const redirectUri = onceOf(context.call.request.query, 'redirect_uri');
    // Missing, or no address at all: oauth/authorize-parameters.
    if (redirectUri === undefined || !isReturnAddress(redirectUri)) return 'not-applicable';
    const expected = returnAddressOf(context);
    if (expected === undefined) return 'not-observed';
    // A creation without the header is a finding of its own.
    if (expected === null) return 'not-applicable';
    if (isSameAddress(redirectUri, expected, context.fingerprint)) return true;
    // Whose creation it follows cannot be told where several TPPs got the id and the client names none of them.
    if (authorisationIn(context)?.shared === true) return 'not-observed';
    return violation('query redirect_uri', expected, redirectUri);
  },
});
