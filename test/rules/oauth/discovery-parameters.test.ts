import rule from '../../../src/rules/oauth/discovery-parameters.js';
import { testRule } from '../rule-tester.js';

const ID = '22222222-2222-2222-2222-222222222222';
const reading = (query: string) => ({ call: { operation: 'oauth.discovery', query } as const });

testRule(rule, {
  complies: {
    'the link as it was given': reading(`authorizationId=${ID}`),
    'a UUID in capitals': reading('authorizationId=0B6E1C52-6A39-4F0E-9D1C-7F3A52C4E801'),
    'what else stands there is judged elsewhere': reading(`authorizationId=${ID}?scope=AIS:C&state=s`),
  },
  violates: {
    'no authorisation': {
      call: { operation: 'oauth.discovery' },
      finds: [{ place: 'query authorizationId', actual: 'absent' }],
    },
    'an empty one': { ...reading('authorizationId='), finds: [{ actual: 'an empty string' }] },
    'two of them': {
      ...reading(`authorizationId=${ID}&authorizationId=${ID}`),
      finds: [{ actual: '2 times' }],
    },
    'a number': { ...reading('authorizationId=1'), finds: [{ expected: 'a UUID', actual: '1' }] },
    'another spelling': { ...reading(`authorisationId=${ID}`), finds: [{ actual: 'absent' }] },
  },
});
