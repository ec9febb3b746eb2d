import rule from '../../../src/rules/requests/body-parses.js';
import { testRule } from '../rule-tester.js';

const form = (body: string) => ({
  operation: 'oauth.token' as const,
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});

testRule(rule, {
  complies: [
    { name: 'JSON', call: { operation: 'consents.create', body: {} } },
    { name: 'a form with everything encoded', call: form('a%5B%5D=caf%C3%A9+100%25&b=%2B') },
    { name: 'a form', call: { operation: 'oauth.token', form: { a: 'b' } } },
  ],
  violates: [
    {
      name: 'a form with a percent sign that encodes nothing',
      call: form('grant_type=authorization_code&code=%zz'),
      finds: [{ place: 'body', actual: 'a body that cannot be read: %zz is not a percent-encoded byte' }],
    },
    { name: 'a form with a percent sign at its end', call: form('code=100%') },
    { name: 'a form in Latin-1', call: form('redirect_uri=https%3A%2F%2Ftpp.example%2Fcaf%E9') },
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
