import rule from '../../../src/rules/answers/status-expected.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: '200 to a read', answer: { status: 200 } },
    { name: '201 to a creation', call: { operation: 'consents.create' }, answer: { status: 201 } },
    { name: '204 to a deletion', call: { operation: 'consents.delete' }, answer: { status: 204 } },
    { name: '202 to a cancellation', call: { operation: 'payments.cancel' }, answer: { status: 202 } },
    { name: 'a rejection is an answer too', answer: { status: 403 } },
    { name: '429 to a fifth access', call: { operation: 'accounts.list' }, answer: { status: 429 } },
    { name: 'a redirect of authorize', call: { operation: 'oauth.authorize' }, answer: { status: 302 } },
    { name: 'an error page of authorize', call: { operation: 'oauth.authorize' }, answer: { status: 400 } },
    {
      name: '304 to a read that asked whether anything changed',
      call: { operation: 'accounts.list', headers: { 'If-None-Match': '"7"' } },
      answer: { status: 304 },
    },
    {
      name: '304 to a read with the date of what the client has',
      call: { headers: { 'If-Modified-Since': 'Mon, 15 Jun 2026 08:00:00 GMT' } },
      answer: { status: 304 },
    },
    {
      name: '412 to a deletion under a condition',
      call: { operation: 'consents.delete', headers: { 'If-Match': '"7"' } },
      answer: { status: 412 },
    },
    { name: '401 from the token endpoint', call: { operation: 'oauth.token' }, answer: { status: 401 } },
  ],
  violates: [
    {
      name: '200 to a creation',
      call: { operation: 'consents.create' },
      answer: { status: 200 },
      finds: [{ place: 'answer status', expected: '201, or an error status of the standard', actual: '200' }],
    },
    { name: 'a redirect of a read', answer: { status: 302 } },
    { name: '304 to a read without condition', answer: { status: 304 } },
    {
      name: '304 to a creation',
      call: { operation: 'consents.create', headers: { 'If-None-Match': '"7"' } },
      answer: { status: 304 },
    },
    { name: '418', answer: { status: 418, source: 'upstream' } },
    { name: '404 from the token endpoint', call: { operation: 'oauth.token' }, answer: { status: 404 } },
    { name: '200 to a deletion', call: { operation: 'consents.delete' }, answer: { status: 200 } },
  ],
  notApplicable: [
    {
      name: 'a path that is not of the interface',
      call: { target: '/favicon.ico' },
      answer: { status: 410 },
    },
    { name: 'a fault on the way to the bank', answer: { status: 502, source: 'gateway' } },
    { name: "the gateway's own refusal", answer: { status: 400, source: 'rule' } },
  ],
});
