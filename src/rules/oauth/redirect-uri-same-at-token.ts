import { isSameAddress } from '../../exchange/index.js';
import { resourceOf } from '../checks/authorize-flow.js';
import { formOnce } from '../checks/parameters.js';
import { authorizesBefore, isAnyones, isOfKnownAuthorize } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/redirect-uri-same-at-token',
  statement: 'redirect_uri at the token endpoint, if sent, equals that of authorize',
  sources: ['RFC6749 4.1.3'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.token'],
  needs: ['grant:authorization_code'],
  refusal: { token: 'invalid_grant' },
  why: 'The bank compares the two, and gives no token if they differ by a single character.',
  fix: 'Send the redirect_uri of the authorization request again, or leave it out.',
  examples: {
    complies: 'redirect_uri=https%3A%2F%2Ftpp.example%2Fcb at both',
    violates: 'redirect_uri=http%3A%2F%2Flocalhosta at the token endpoint',
  },
  check: (context) => {
    const redirectUri = formOnce(context.call, 'redirect_uri');
    if (redirectUri === undefined) return 'not-applicable';
    const authorizes = authorizesBefore(context);
    const last = authorizes.at(-1);
    if (last === undefined) return 'not-observed';
    const isSame = (uri: string) => isSameAddress(uri, redirectUri, context.fingerprint);
    if (authorizes.some((fact) => isSame(fact.redirectUri))) return true;
    // This is the creation's, so authorize sent another one: a finding there, and not another one here.
    const scope = context.options.dialect.parseScope(last.scope);
    const creation = scope && resourceOf(context.ledger, last.tpp ?? last.clientId, scope);
    if (creation?.redirectUri != null && isSame(creation.redirectUri)) return 'not-applicable';
    if (!isOfKnownAuthorize(context) || authorizes.every(isAnyones)) return 'not-observed';
    return violation('body redirect_uri', last.redirectUri, redirectUri);
  },
});
