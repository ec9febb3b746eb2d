import { isOfOtherCertificate, ofOtherCertificate } from '../checks/other-certificate.js';
import { formOnce } from '../checks/parameters.js';
import { isOwnClientId, refreshTokenFactOf } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/refresh-token-belongs-to-tpp',
  statement: 'The refresh token is used by the organisation that it was issued to',
  sources: ['RFC6749 6', 'RFC8705'],
  appliesTo: ['oauth.token'],
  needs: ['grant:refresh_token', 'tpp'],
  refusal: { token: 'invalid_grant' },
  why: 'A refresh token in other hands would give another organisation access to the accounts.',
  fix: 'Refresh with a certificate of the organisation that exchanged the code. A renewed one is fine, unless the bank binds tokens to the certificate (access.boundTo).',
  examples: {
    complies: 'the refresh token of PSDBE-NBB-0123456789, with its certificate',
    violates: 'the same refresh token, with the certificate of another organisation',
  },
  check: (context) => {
    const token = formOnce(context.call, 'refresh_token');
    if (token === undefined) return 'not-applicable';
    const fact = refreshTokenFactOf(context.ledger, token, context.fingerprint);
    if (fact === undefined) return 'not-observed';
    if (isOfOtherCertificate(fact, context))
      return violation(
        'body refresh_token',
        'a refresh token that this certificate got',
        ofOtherCertificate('a refresh token'),
      );
    if (fact.tpp === context.call.tpp) return true;
    // A client_id that does not fit the certificate names the same fault already.
    const client = formOnce(context.call, 'client_id');
    if (client !== undefined && !isOwnClientId(context, client)) return 'not-applicable';
    return violation(
      'body refresh_token',
      `a refresh token that ${context.call.tpp} got`,
      'a refresh token of another organisation',
    );
  },
});
