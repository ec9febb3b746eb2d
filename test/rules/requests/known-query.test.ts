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
  ],
  violates: [
    {
      name: 'in other letters',
      call: { operation: 'accounts.transactions', query: 'bookingstatus=booked' },
      finds: [{ place: 'query bookingstatus', expected: 'bookingStatus, or nothing' }],
    },
    {
      name: 'where none is known',
      call: { operation: 'consents.read', query: 'a=1&b=2' },
      finds: [{ place: 'query a', expected: 'no query parameter' }, { place: 'query b' }],
    },
    {
      name: 'a crowd is told of ten times',
      call: { operation: 'consents.read', query: Array.from({ length: 50 }, (_, i) => `p${i}=1`).join('&') },
      finds: Array.from({ length: 10 }, () => ({})),
    },
  ],
  notApplicable: [{ name: 'no query' }, { name: 'the path is unknown', call: { target: '/nowhere?a=1' } }],
});
