import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/token-present',
  statement: 'The request carries Authorization: Bearer',
  clauses: ['accounts.headers', 'authentication.5'],
  sources: ['RFC6750 2.1'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.bearer !== 'none',
  refusal: { code: 'TOKEN_INVALID' },
  why: 'Without a token the bank cannot tell that the PSU has authorised the consent.',
  fix: 'Send Authorization: Bearer with the access token of the consent.',
  examples: { complies: 'Authorization: Bearer 5c1f…', violates: 'no Authorization' },
  check: ({ call, options }) => {
    const { authorization } = call.header;
    if (call.request.bearer !== null) return true;
    if (authorization === undefined && options.dialect.bearer === 'optional') return 'not-applicable';
    return violation(
      'header Authorization',
      'Bearer and the access token',
      describeCredentials(authorization),
    );
  },
});

function describeCredentials(credentials: string | undefined): string {
  if (credentials === undefined) return 'absent';
  const [scheme = '', ...words] = credentials.split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') return 'a value without the scheme Bearer';
  return words.length === 0 ? 'Bearer without a token' : 'Bearer with blanks in the token';
}
