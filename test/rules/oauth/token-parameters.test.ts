import rule from '../../../src/rules/oauth/token-parameters.js';
import { CODE, exchangeWith, formText, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a code with its fields': { call: exchangeWith({}) },
    'a refresh with its fields': { call: refreshWith({}) },
    'fields that may be there': {
      call: exchangeWith({ redirect_uri: 'https://tpp.example/cb', scope: 'x' }),
    },
    'plus signs and percent-encoding': {
      call: formText(`grant_type=refresh_token&client_id=a%2Db&refresh_token=a+b`),
    },
  },
  violates: {
    'its fields in the URL, as one fault': {
      call: { operation: 'oauth.token', query: 'grant_type=refresh_token&refresh_token=r&client_id=c' },
      finds: [{ place: 'query', actual: 'grant_type, client_id, refresh_token' }],
    },
    'the code alone in the URL': {
      call: { ...exchangeWith({ code: undefined }), query: 'code=c' },
      finds: [{ place: 'query', actual: 'code' }],
    },
    'all fields in the URL, redirect_uri among them': {
      call: {
        operation: 'oauth.token',
        query: 'grant_type=refresh_token&refresh_token=r&client_id=c&redirect_uri=u',
      },
      finds: [{ place: 'query', actual: 'grant_type, client_id, refresh_token, redirect_uri' }],
    },
    'no verifier': {
      call: exchangeWith({ code_verifier: undefined }),
      finds: [{ place: 'body code_verifier', expected: 'a value', actual: 'absent' }],
    },
    'an empty code': {
      call: exchangeWith({ code: '' }),
      finds: [{ place: 'body code', actual: 'an empty string' }],
    },
    'a code that a program had none of': {
      call: exchangeWith({ code: 'undefined' }),
      finds: [
        {
          place: 'body code',
          expected: 'a value',
          actual: 'undefined, which a program writes where it has none',
        },
      ],
    },
    'a refresh token that a program had none of': {
      call: refreshWith({ refresh_token: 'null' }),
      finds: [{ place: 'body refresh_token', actual: 'null, which a program writes where it has none' }],
    },
    'a refresh without token': {
      call: refreshWith({ refresh_token: undefined }),
      finds: [{ place: 'body refresh_token' }],
    },
    'no client_id': { call: refreshWith({ client_id: undefined }), finds: [{ place: 'body client_id' }] },
    'two codes': {
      call: formText(`grant_type=authorization_code&client_id=c&code=${CODE}&code=other&code_verifier=v`),
      finds: [{ place: 'body code', expected: 'the parameter once', actual: '2 times' }],
    },
    'two redirect URIs': {
      call: formText('grant_type=refresh_token&client_id=c&refresh_token=r&redirect_uri=a&redirect_uri=b'),
      finds: [{ place: 'body redirect_uri', actual: '2 times' }],
    },
  },
  notApplicable: {
    'no grant, which another rule judges': { call: exchangeWith({ grant_type: undefined, code: undefined }) },
    'an unknown grant': { call: exchangeWith({ grant_type: 'password', code: undefined }) },
    JSON: { call: { operation: 'oauth.token', body: {} } },
  },
});
