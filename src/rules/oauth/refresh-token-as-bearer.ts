import { isRefreshTokenAsBearer } from '../checks/mistaken-ids.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/refresh-token-as-bearer',
  statement: 'The bearer token is no refresh token',
  sources: ['RFC6749 1.5'],
  appliesTo: ({ group }) => group === 'accounts',
  refusal: { code: 'TOKEN_UNKNOWN' },
  why: 'A refresh token gives no access to accounts, only a new access token.',
  fix: 'Send the access_token of the same answer of POST /token as Bearer, and keep the refresh_token for POST /token.',
  examples: { complies: 'Bearer and the access_token', violates: 'Bearer and the refresh_token' },
  check: (context) => {
    if (context.call.request.bearer === null) return 'not-applicable';
    if (!isRefreshTokenAsBearer(context)) return true;
    return violation('header Authorization', 'an access token', 'a refresh token');
  },
});
