import { LIMITS } from '../../spec/index.js';
import { formOnce } from '../checks/parameters.js';
import { refreshTokenFactOf } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/refresh-within-90-days',
  statement: 'The refresh token is at most 90 days old',
  clauses: ['limits.2', 'authentication.5', 'token-response.refresh_token'],
  appliesTo: ['oauth.token'],
  needs: ['grant:refresh_token'],
  refusal: { token: 'invalid_grant' },
  why: 'After 90 days the authorisation of the PSU is over.',
  fix: 'Ask the PSU for a new consent before the 90 days are over.',
  examples: { complies: 'a refresh token of 90 days', violates: 'a refresh token of 91 days' },
  check: (context) => {
    const token = formOnce(context.call, 'refresh_token');
    if (token === undefined) return 'not-applicable';
    const fact = refreshTokenFactOf(context.ledger, token, context.fingerprint);
    if (fact === undefined) return 'not-observed';
    if (context.call.at - fact.issuedAt <= LIMITS.refreshTokenMs) return true;
    return violation(
      'body refresh_token',
      `a refresh token issued at ${isoOf(context.call.at - LIMITS.refreshTokenMs)} or later`,
      `a refresh token issued at ${isoOf(fact.issuedAt)}`,
    );
  },
});

const isoOf = (at: number): string => new Date(at).toISOString();
