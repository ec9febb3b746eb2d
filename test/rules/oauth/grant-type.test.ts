import rule from '../../../src/rules/oauth/grant-type.js';
import { exchangeWith, formText, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const missing = { refusal: { token: 'invalid_request' } } as const;

testRule(rule, {
  complies: [
    { name: 'a code', call: exchangeWith({}) },
    { name: 'a refresh', call: refreshWith({}) },
  ],
  violates: [
    {
      name: 'client credentials, which the interface does not take',
      call: exchangeWith({ grant_type: 'client_credentials' }),
      finds: [
        {
          place: 'body grant_type',
          expected: 'authorization_code or refresh_token',
          actual: 'client_credentials',
        },
      ],
    },
    { name: 'another letter case', call: exchangeWith({ grant_type: 'Authorization_Code' }) },
    {
      name: 'none',
      call: exchangeWith({ grant_type: undefined }),
      finds: [{ actual: 'absent', ...missing }],
    },
    {
      name: 'two',
      call: formText('grant_type=refresh_token&grant_type=authorization_code'),
      finds: [{ actual: '2 times', ...missing }],
    },
    {
      name: 'no body at all',
      call: { operation: 'oauth.token' },
      finds: [{ place: 'body grant_type', ...missing }],
    },
    { name: 'a word that every object knows', call: exchangeWith({ grant_type: 'constructor' }) },
  ],
  notApplicable: [
    {
      name: 'in the URL, which oauth/token-parameters names',
      call: { operation: 'oauth.token', query: 'grant_type=refresh_token' },
    },
    {
      name: 'JSON, which another rule judges',
      call: { operation: 'oauth.token', body: { grant_type: 'x' } },
    },
    { name: 'authorize', call: { operation: 'oauth.authorize' } },
  ],
});
