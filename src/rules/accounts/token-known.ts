import { isWhole } from '../../ledger/index.js';
import { isRefreshTokenAsBearer, mistakenBearer } from '../checks/mistaken-ids.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/token-known',
  statement: 'The token was issued through this gateway',
  sources: ['RFC6750 3.1'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.bearer !== 'none' && dialect.offers('oauth.token'),
  refusal: { code: 'TOKEN_UNKNOWN' },
  why: 'Nobody can tell for which consent and TPP the token was issued.',
  fix: 'Get the token from POST /token through the same gateway, and send it unchanged.',
  examples: {
    complies: 'the access_token of the last POST /token',
    violates: 'a token of another environment',
  },
  check: (context) => {
    const { call, token, ledger } = context;
    if (call.request.bearer === null) return 'not-applicable';
    if (token !== undefined) return true;
    // It is known to be something else: requests/ids-of-their-kind, oauth/refresh-token-as-bearer.
    if (isRefreshTokenAsBearer(context) || mistakenBearer(context) !== undefined) return 'not-applicable';
    // A recording that does not hold certificates may not hold the exchange of the code either.
    if (call.certificate === 'not-observed' || !isWhole(ledger, 'tokens')) return 'not-observed';
    return violation(
      'header Authorization',
      'an access token that was issued through this gateway',
      'an unknown token',
    );
  },
});
