import rule from '../../../src/rules/oauth/grant-type.js';
import { exchangeWith, formText, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const missing = { refusal: { token: 'invalid_request' } } as const;

testRule(rule, {
  complies: {
    'a code': { call: exchangeWith({}) },
    'a refresh': { call: refreshWith({}) },
  },
  violates: {
    'client credentials, which the interface does not take': {
      call: exchangeWith({ grant_type: 'client_credentials' }),
      finds: [
        {
          place: 'body grant_type',
          expected: 'authorization_code or refresh_token',
          actual: 'client_credentials',
        },
      ],
    },
    'another letter case': { call: exchangeWith({ grant_type: 'Authorization_Code' }) },
    none: { call: exchangeWith({ grant_type: undefined }), finds: [{ actual: 'absent', ...missing }] },
    two: {
      call: formText('grant_type=refresh_token&grant_type=authorization_code'),
      finds: [{ actual: '2 times', ...missing }],
    },
    'no body at all': {
      call: { operation: 'oauth.token' },
      finds: [{ place: 'body grant_type', ...missing }],
    },
    'a word that every object knows': { call: exchangeWith({ grant_type: 'constructor' }) },
  },
  notApplicable: {
    'in the URL, which oauth/token-parameters names': {
      call: { operation: 'oauth.token', query: 'grant_type=refresh_token' },
    },
    'JSON, which another rule judges': { call: { operation: 'oauth.token', body: { grant_type: 'x' } } },
    authorize: { call: { operation: 'oauth.authorize' } },
  },
});
