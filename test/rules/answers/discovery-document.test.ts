import rule from '../../../src/rules/answers/discovery-document.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.discovery' } as const;
const document = {
  issuer: 'https://bank.example',
  authorization_endpoint: 'https://bank.example/stdgroup/authorization/authorize/1',
  token_endpoint: 'https://bank.example/stdgroup/v1/token',
  userinfo_endpoint: 'https://bank.example/stdgroup/v1/accounts',
  scopes_supported: ['account', 'payment'],
  response_types_supported: ['code'],
  grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  subject_types_supported: ['public'],
};
const fields = Object.keys(document);

testRule(rule, {
  complies: {
    'every field with its values': { call, answer: { body: document } },
    'the values in another order, and more of them': {
      call,
      answer: { body: { ...document, scopes_supported: ['payment', 'account', 'funds'], x: 1 } },
    },
    'an issuer at plain http': { call, answer: { body: { ...document, issuer: 'http://bank.example' } } },
  },
  violates: {
    ...Object.fromEntries(
      fields.map((field) => [
        `no ${field}`,
        {
          call,
          answer: { body: { ...document, [field]: undefined } },
          finds: [{ place: `answer body ${field}` as const, actual: 'absent' }],
        },
      ]),
    ),
    'a grant that is not listed': {
      call,
      answer: { body: { ...document, grant_types_supported: ['authorization_code'] } },
      finds: [
        {
          place: 'answer body grant_types_supported',
          actual: 'a list without client_credentials, refresh_token',
        },
      ],
    },
    'a relative endpoint': { call, answer: { body: { ...document, token_endpoint: '/token' } } },
    'a page': { call, answer: { body: '<html>', headers: { 'Content-Type': 'text/html' } } },
  },
  notApplicable: {
    'an error': { call, answer: { status: 404, body: {} } },
    'the answer to a HEAD': { call: { ...call, method: 'HEAD' }, answer: {} },
  },
});
