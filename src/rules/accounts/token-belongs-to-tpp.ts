import { defineRule } from '../rule.js';

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
  check: ({ call, token }) => {
    if (token === undefined) return 'not-applicable';
    return (
      token.tpp === call.tpp || {
        place: 'header Authorization',
        expected: `a token that was issued to ${call.tpp}`,
        actual: `one that was issued to ${token.tpp}`,
        publicActual: 'one that was issued to another organisation',
      }
    );
  },
});
