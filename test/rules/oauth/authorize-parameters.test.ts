import rule from '../../../src/rules/oauth/authorize-parameters.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'all six': { call: authorizeWith({}) },
    'without the method, which may be left out': {
      call: authorizeWith({ code_challenge_method: undefined }),
    },
    'further parameters': { call: authorizeAnd('scenario=SCA_OK') },
    'an empty state in the sandbox, which takes any value': {
      call: authorizeWith({ state: '' }),
      options: { profile: 'sandbox' },
    },
    'a return address of an app': { call: authorizeWith({ redirect_uri: 'com.tpp.app://callback' }) },
    'the same with one slash': { call: authorizeWith({ redirect_uri: 'com.tpp.app:/callback' }) },
    'a fragment in the return address, which is a fault of the creation': {
      call: authorizeWith({ redirect_uri: 'https://tpp.example/cb#x' }),
    },
  },
  violates: {
    'no state': {
      call: authorizeWith({ state: undefined }),
      finds: [{ place: 'query state', expected: 'a value', actual: 'absent' }],
    },
    'an empty state in production, where it must be dynamic': {
      call: authorizeWith({ state: '' }),
      options: { profile: 'production' },
      finds: [{ place: 'query state', actual: 'an empty string' }],
    },
    'an empty challenge': {
      call: authorizeWith({ code_challenge: '' }),
      finds: [{ actual: 'an empty string' }],
    },
    'two scopes': {
      call: authorizeAnd('scope=PIS%3AP'),
      finds: [{ place: 'query scope', expected: 'the parameter once', actual: '2 times' }],
    },
    'two methods': {
      call: authorizeAnd('code_challenge_method=plain'),
      finds: [{ place: 'query code_challenge_method' }],
    },
    'no client_id, which cannot be told by a redirect': {
      call: authorizeWith({ client_id: undefined }),
      finds: [{ place: 'query client_id', refusal: { page: 'client_id is missing or sent several times' } }],
    },
    'a redirect_uri that is no address': {
      call: authorizeWith({ redirect_uri: 'javascript:alert(1)' }),
      finds: [
        {
          place: 'query redirect_uri',
          expected: 'an absolute URI, of the web or of an app',
          refusal: { page: 'redirect_uri is missing, sent several times, or no address' },
        },
      ],
    },
    'a redirect_uri without scheme': { call: authorizeWith({ redirect_uri: 'tpp.example/cb' }) },
    'two states, both empty': {
      call: authorizeAnd('state='),
      finds: [{ place: 'query state', actual: '2 times' }],
    },
    'all of it missing': {
      call: { operation: 'oauth.authorize' },
      finds: [
        { place: 'query scope' },
        { place: 'query client_id' },
        { place: 'query state' },
        { place: 'query redirect_uri' },
        { place: 'query code_challenge' },
        { place: 'query response_type' },
      ],
    },
  },
  notApplicable: { 'a token request': { call: { operation: 'oauth.token' } } },
});
