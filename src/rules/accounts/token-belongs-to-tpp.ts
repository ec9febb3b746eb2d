import { isOfOtherCertificate, ofOtherCertificate } from '../checks/other-certificate.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/token-belongs-to-tpp',
  statement: 'The token is used by the organisation that it was issued to',
  sources: ['RFC8705 3'],
  appliesTo: ({ group }) => group === 'accounts',
  needs: ['tpp'],
  refusal: { code: 'TOKEN_INVALID' },
  why: 'A token that another organisation can use is as good as stolen.',
  fix: 'Use the certificate of the organisation that exchanged the code.',
  examples: {
    complies: 'token and call with certificates of one organisation',
    violates: 'a token of one organisation, the certificate of another',
  },
  check: (context) => {
    const { call, token } = context;
    if (token === undefined) return 'not-applicable';
    if (isOfOtherCertificate(token, context))
      return violation(
        'header Authorization',
        'a token that this certificate got',
        ofOtherCertificate('a token'),
      );
    return (
      token.tpp === call.tpp || {
        place: 'header Authorization',
        expected: `a token that was issued to ${call.tpp}`,
        actual: `a token that was issued to ${token.tpp}`,
        publicActual: 'a token that was issued to another organisation',
      }
    );
  },
});
