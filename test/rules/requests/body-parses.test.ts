import rule from '../../../src/rules/requests/body-parses.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'JSON', call: { operation: 'consents.create', body: {} } },
    { name: 'a form', call: { operation: 'oauth.token', form: { a: 'b' } } },
  ],
  violates: [
    {
      name: 'cut off',
      call: { operation: 'payments.create', body: '{"a":' },
      finds: [{ place: 'body', expected: 'JSON' }],
    },
    { name: 'single quotation marks', call: { operation: 'funds-confirmations.create', body: "{'a':1}" } },
  ],
  notApplicable: [
    {
      name: 'a form that says to be JSON',
      call: { operation: 'oauth.token', body: 'a=b', headers: { 'Content-Type': 'application/json' } },
    },
    { name: 'no body', call: { operation: 'consents.create' } },
    {
      name: 'another media type',
      call: { operation: 'consents.create', body: '{', headers: { 'Content-Type': 'text/plain' } },
    },
  ],
});
