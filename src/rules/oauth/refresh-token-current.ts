import { keyOf, usesOf } from '../../ledger/index.js';
import { formOnce } from '../checks/parameters.js';
import { refreshTokenFactOf } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/refresh-token-current',
  statement: 'The refresh token is the newest one handed out for the consent',
  sources: ['RFC6749 6'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['oauth.token'],
  needs: ['grant:refresh_token'],
  why: 'A bank that rotates refresh tokens takes an old one for stolen: the PSU must authorise again.',
  fix: 'Replace the stored refresh_token with that of each answer, in one step with the access token.',
  examples: {
    complies: 'the refresh_token of the newest token answer',
    violates: 'the refresh_token of the answer before it',
  },
  check: (context) => {
    const token = formOnce(context.call, 'refresh_token');
    if (token === undefined) return 'not-applicable';
    const fact = refreshTokenFactOf(context.ledger, token, context.fingerprint);
    // One that was never handed out is for the bank to refuse.
    if (fact === undefined) return 'not-observed';
    const expected = `the newest refresh token for ${fact.scope}`;
    if (fact.replacedBy !== null)
      return violation('body refresh_token', expected, 'an older refresh token, replaced since');
    const underWay = usesOf(context.ledger, keyOf.use('refresh', fact.token)).length > 0;
    if (!underWay) return true;
    // Whether the bank gives a new one for it is not known yet, unless it is one that always does.
    if (fact.rotated !== true) return 'not-observed';
    return violation(
      'body refresh_token',
      expected,
      'a refresh token that is being exchanged in another call',
    );
  },
});
