import rule from '../../../src/rules/answers/token-response.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.token' } as const;
const token = {
  access_token: 'a',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'r',
  scope: 'AIS:VALID_CONSENT_ID',
};
const refresh = {
  ...call,
  form: { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'VALID_CLIENT_ID' },
} as const;
const without = (name: keyof typeof token) => ({ ...token, [name]: undefined });

testRule(rule, {
  complies: {
    'all five fields': { call, answer: { body: token } },
    'the type in lower case, and a field more': {
      call,
      answer: { body: { ...token, token_type: 'bearer', x: 1 } },
    },
    'a refresh without a new refresh token: the old one stays (RFC 6749 6)': {
      call: refresh,
      answer: { body: without('refresh_token') },
    },
  },
  violates: {
    'a refresh token that is none': {
      call: refresh,
      answer: { body: { ...token, refresh_token: 7 } },
      finds: [{ place: 'answer body refresh_token', actual: '7 (a number)' }],
    },
    'a refresh without access token': {
      call: refresh,
      answer: { body: without('access_token') },
      finds: [{ place: 'answer body access_token' }],
    },
    'no access token': {
      call,
      answer: { body: without('access_token') },
      finds: [{ place: 'answer body access_token' }],
    },
    'no refresh token': {
      call,
      answer: { body: without('refresh_token') },
      finds: [{ place: 'answer body refresh_token' }],
    },
    'no scope': { call, answer: { body: without('scope') }, finds: [{ place: 'answer body scope' }] },
    'seconds as a string': {
      call,
      answer: { body: { ...token, expires_in: '3600' } },
      finds: [{ place: 'answer body expires_in', expected: 'a number', actual: '"3600"' }],
    },
    'a lifetime that is over': {
      call,
      answer: { body: { ...token, expires_in: -1 } },
      finds: [{ place: 'answer body expires_in', expected: 'a number above 0', actual: '-1 (a number)' }],
    },
    'another type': { call, answer: { body: { ...token, token_type: 'MAC' } }, finds: [{ actual: '"MAC"' }] },
    'a form instead of JSON': {
      call,
      answer: { body: 'access_token=a', headers: { 'Content-Type': 'text/plain' } },
    },
    'no body': { call, answer: {}, finds: [{ actual: 'absent' }] },
  },
  notApplicable: {
    'an error': { call, answer: { status: 400, body: { error: 'invalid_grant' } } },
    'another operation': { answer: { body: {} } },
  },
});
