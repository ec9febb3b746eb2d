import rule from '../../../src/rules/requests/known-query.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    {
      name: 'known ones',
      call: { operation: 'accounts.transactions', query: 'bookingStatus=booked&dateFrom=2026-05-01' },
    },
    { name: 'discovery', call: { operation: 'oauth.discovery', query: 'authorizationId=a' } },
    {
      name: 'parameters of authorize appended to discovery, which another rule judges',
      call: { operation: 'oauth.discovery', query: 'authorizationId=a&scope=AIS:C' },
    },
    {
      name: 'registered ones of authorize, which the bank ignores',
      call: {
        operation: 'oauth.authorize',
        query:
          'scope=AIS:C&nonce=n&prompt=login&login_hint=a&ui_locales=fr&acr_values=x&resource=https://a.example',
      },
    },
    {
      name: 'registered ones of authorize appended to discovery, which another rule judges',
      call: { operation: 'oauth.discovery', query: 'authorizationId=a&nonce=n' },
    },
  ],
  violates: [
    {
      name: 'in other letters',
      call: { operation: 'accounts.transactions', query: 'bookingstatus=booked' },
      finds: [{ place: 'query bookingstatus', expected: 'bookingStatus, or no such parameter' }],
    },
    {
      name: 'a misspelt one of authorize',
      call: { operation: 'oauth.authorize', query: 'redirect_url=https://tpp.example/cb' },
      finds: [{ place: 'query redirect_url', expected: 'redirect_uri, or no such parameter' }],
    },
    {
      name: 'one of authorize elsewhere',
      call: { operation: 'accounts.list', query: 'nonce=n' },
      finds: [{ place: 'query nonce' }],
    },
    {
      name: 'where none is known',
      call: { operation: 'consents.read', query: 'a=1&b=2' },
      finds: [{ place: 'query a', expected: 'no such parameter' }, { place: 'query b' }],
    },
    {
      name: 'a crowd is told of ten times',
      call: { operation: 'consents.read', query: Array.from({ length: 50 }, (_, i) => `p${i}=1`).join('&') },
      finds: Array.from({ length: 10 }, () => ({})),
    },
  ],
  notApplicable: [{ name: 'no query' }, { name: 'the path is unknown', call: { target: '/nowhere?a=1' } }],
});
