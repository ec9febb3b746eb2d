import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/token-not-expired',
  statement: 'The token is within its lifetime',
  clauses: ['authentication.5', 'token-response.expires_in'],
  sources: ['RFC6750 3.1'],
  appliesTo: ({ group }) => group === 'accounts',
  refusal: { code: 'TOKEN_EXPIRED' },
  why: 'An expired token gives no access.',
  fix: 'Exchange the refresh token for a new access token shortly before expires_in is over.',
  examples: {
    complies: 'a token of 3600 s, used after 10 minutes',
    violates: 'a token of 3600 s, used after 61 minutes',
  },
  check: ({ call, token }) => {
    if (token === undefined) return 'not-applicable';
    return (
      call.at < token.expiresAt ||
      violation(
        'header Authorization',
        'a token within its lifetime',
        `a token that expired at ${new Date(token.expiresAt).toISOString()}`,
      )
    );
  },
});
