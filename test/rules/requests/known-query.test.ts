import rule from '../../../src/rules/requests/known-query.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'the form of a token request, which another rule judges': {
      call: { operation: 'oauth.token', query: 'grant_type=refresh_token&refresh_token=r&redirect_uri=u' },
    },
    'known ones': {
      call: { operation: 'accounts.transactions', query: 'bookingStatus=booked&dateFrom=2026-05-01' },
    },
    discovery: { call: { operation: 'oauth.discovery', query: 'authorizationId=a' } },
    'parameters of authorize appended to discovery, which another rule judges': {
      call: { operation: 'oauth.discovery', query: 'authorizationId=a&scope=AIS:C' },
    },
    'registered ones of authorize, which the bank ignores': {
      call: {
        operation: 'oauth.authorize',
        query:
          'scope=AIS:C&nonce=n&prompt=login&login_hint=a&ui_locales=fr&acr_values=x&resource=https://a.example',
      },
    },
    'registered ones of authorize appended to discovery, which another rule judges': {
      call: { operation: 'oauth.discovery', query: 'authorizationId=a&nonce=n' },
    },
  },
  violates: {
    'in other letters': {
      call: { operation: 'accounts.transactions', query: 'bookingstatus=booked' },
      finds: [{ place: 'query bookingstatus', expected: 'bookingStatus, or no such parameter' }],
    },
    'a misspelt one of authorize': {
      call: { operation: 'oauth.authorize', query: 'redirect_url=https://tpp.example/cb' },
      finds: [{ place: 'query redirect_url', expected: 'redirect_uri, or no such parameter' }],
    },
    'one of authorize elsewhere': {
      call: { operation: 'accounts.list', query: 'nonce=n' },
      finds: [{ place: 'query nonce' }],
    },
    'where none is known': {
      call: { operation: 'consents.read', query: 'a=1&b=2' },
      finds: [{ place: 'query a', expected: 'no such parameter' }, { place: 'query b' }],
    },
    'a crowd is told of ten times': {
      call: { operation: 'consents.read', query: Array.from({ length: 50 }, (_, i) => `p${i}=1`).join('&') },
      finds: Array.from({ length: 10 }, () => ({})),
    },
  },
  notApplicable: { 'no query': {}, 'the path is unknown': { call: { target: '/nowhere?a=1' } } },
});
