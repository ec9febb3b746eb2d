import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/token-present',
  statement: 'The request carries Authorization: Bearer',
  clauses: ['accounts.headers', 'authentication.5'],
  sources: ['RFC6750 2.1'],
  appliesTo: ({ group }) => group === 'accounts',
  refusal: { code: 'TOKEN_INVALID' },
  why: 'Without a token the bank cannot tell that the PSU has authorised the consent.',
  fix: 'Send Authorization: Bearer with the access token of the consent.',
  examples: { complies: 'Authorization: Bearer 5c1f…', violates: 'no Authorization' },
  check: ({ call, options }) => {
    if (call.request.bearer !== null) return true;
    const { bearer = 'required' } = options.dialect.profile?.access ?? {};
    const credentials = call.header.authorization;
    // Without one, the certificate and the consent are what gives access at some banks.
    if (bearer === 'none' || (bearer === 'optional' && credentials === undefined)) return 'not-applicable';
    return violation('header Authorization', 'Bearer and the access token', describeCredentials(credentials));
  },
});

function describeCredentials(credentials: string | undefined): string {
  if (credentials === undefined) return 'absent';
  const [scheme = '', ...words] = credentials.split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') return 'another scheme, or none';
  return words.length === 0 ? 'Bearer without a token' : 'Bearer with blanks in the token';
}
