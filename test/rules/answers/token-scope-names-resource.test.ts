import rule from '../../../src/rules/answers/token-scope-names-resource.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'oauth.token' } as const;

testRule(rule, {
  complies: [
    { name: 'a consent', call, answer: { body: { scope: 'AIS:VALID_CONSENT_ID' } } },
    { name: 'a payment', call, answer: { body: { scope: 'PIS:PAYMENT_ID_RCVD_SCT' } } },
    { name: 'a consent for funds', call, answer: { body: { scope: 'PIIS:C1' } } },
  ],
  violates: [
    {
      name: 'the service alone',
      call,
      answer: { body: { scope: 'AIS' } },
      finds: [{ place: 'answer body scope', actual: 'AIS' }],
    },
    { name: 'no id', call, answer: { body: { scope: 'AIS:' } } },
    { name: 'another service', call, answer: { body: { scope: 'accounts:C1' } } },
    { name: 'two scopes', call, answer: { body: { scope: 'AIS:C1 offline_access' } } },
  ],
  notApplicable: [
    { name: 'no scope is another finding', call, answer: { body: {} } },
    { name: 'an error', call, answer: { status: 400, body: { scope: 'AIS' } } },
  ],
});
