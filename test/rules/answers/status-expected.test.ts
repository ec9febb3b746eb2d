import rule from '../../../src/rules/answers/status-expected.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    '200 to a read': { answer: { status: 200 } },
    '201 to a creation': { call: { operation: 'consents.create' }, answer: { status: 201 } },
    '204 to a deletion': { call: { operation: 'consents.delete' }, answer: { status: 204 } },
    '202 to a cancellation': { call: { operation: 'payments.cancel' }, answer: { status: 202 } },
    'a rejection is an answer too': { answer: { status: 403 } },
    '429 to a fifth access': { call: { operation: 'accounts.list' }, answer: { status: 429 } },
    'a redirect of authorize': { call: { operation: 'oauth.authorize' }, answer: { status: 302 } },
    'an error page of authorize': { call: { operation: 'oauth.authorize' }, answer: { status: 400 } },
    '304 to a read that asked whether anything changed': {
      call: { operation: 'accounts.list', headers: { 'If-None-Match': '"7"' } },
      answer: { status: 304 },
    },
    '304 to a read with the date of what the client has': {
      call: { headers: { 'If-Modified-Since': 'Mon, 15 Jun 2026 08:00:00 GMT' } },
      answer: { status: 304 },
    },
    '412 to a deletion under a condition': {
      call: { operation: 'consents.delete', headers: { 'If-Match': '"7"' } },
      answer: { status: 412 },
    },
    '401 from the token endpoint': { call: { operation: 'oauth.token' }, answer: { status: 401 } },
  },
  violates: {
    '200 to a creation': {
      call: { operation: 'consents.create' },
      answer: { status: 200 },
      finds: [{ place: 'answer status', expected: '201, or an error status of the standard', actual: '200' }],
    },
    'a redirect of a read': { answer: { status: 302 } },
    '304 to a read without condition': { answer: { status: 304 } },
    '304 to a creation': {
      call: { operation: 'consents.create', headers: { 'If-None-Match': '"7"' } },
      answer: { status: 304 },
    },
    '418': { answer: { status: 418, source: 'upstream' } },
    '404 from the token endpoint': { call: { operation: 'oauth.token' }, answer: { status: 404 } },
    '200 to a deletion': { call: { operation: 'consents.delete' }, answer: { status: 200 } },
  },
  notApplicable: {
    'a path that is not of the interface': { call: { target: '/favicon.ico' }, answer: { status: 410 } },
    'a fault on the way to the bank': { answer: { status: 502, source: 'gateway' } },
    "the gateway's own refusal": { answer: { status: 400, source: 'rule' } },
  },
});
