import rule from '../../../src/rules/answers/error-body.js';
import { testRule } from '../rule-tester.js';

const messages = (code: string) => ({ tppMessages: [{ category: 'ERROR', code }] });
const token = { operation: 'oauth.token' } as const;
const html = { 'Content-Type': 'text/html' };

testRule(rule, {
  complies: {
    tppMessages: { answer: { status: 403, body: messages('CONSENT_UNKNOWN') } },
    'problem+json': {
      answer: {
        status: 400,
        body: { type: 'https://bank.example/x', code: 'FORMAT_ERROR' },
        headers: { 'Content-Type': 'application/problem+json' },
      },
    },
    'an OAuth error': { call: token, answer: { status: 400, body: { error: 'invalid_grant' } } },
    'a certificate refused in front of the token endpoint': {
      call: token,
      answer: { status: 401, body: messages('CERTIFICATE_MISSING') },
    },
    'an overload in front of it': {
      call: token,
      answer: { status: 503, body: messages('SERVICE_UNAVAILABLE') },
    },
    'a path that nobody knows': {
      call: { target: '/stdgroup/v1/nothing' },
      answer: { status: 404, body: messages('RESOURCE_UNKNOWN') },
    },
  },
  violates: {
    'an empty body': { answer: { status: 401 }, finds: [{ place: 'answer body', actual: 'absent' }] },
    'an HTML page': {
      answer: { status: 400, body: '<h1>', headers: html },
      finds: [{ actual: 'text/html' }],
    },
    'a 500 with an HTML page': {
      answer: { status: 500, body: '<h1>', headers: html },
      finds: [{ actual: 'text/html' }],
    },
    'JSON that does not parse': { answer: { status: 400, body: '{' } },
    'a message without category': {
      answer: { status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR' }] } },
      finds: [{ place: 'answer body tppMessages[0].category', expected: 'ERROR or WARNING' }],
    },
    'no message': {
      answer: { status: 400, body: { tppMessages: [] } },
      finds: [{ expected: 'an array that is not empty', actual: 'an empty array' }],
    },
    'another form': {
      answer: { status: 500, body: { message: 'Oops' } },
      finds: [{ place: 'answer body tppMessages' }],
    },
    'a problem without code': {
      answer: { status: 400, body: { type: 'about:blank' } },
      finds: [{ place: 'answer body code' }],
    },
    'tppMessages for an OAuth error': {
      call: token,
      answer: { status: 400, body: messages('FORMAT_ERROR') },
      finds: [{ place: 'answer body error', actual: 'absent' }],
    },
    'nothing from the token endpoint': {
      call: token,
      answer: { status: 400 },
      finds: [{ expected: 'a JSON object with error (RFC 6749 5.2)' }],
    },
  },
  notApplicable: {
    'a success': { answer: { status: 200 } },
    'the error page for a PSU': {
      call: { operation: 'oauth.authorize' },
      answer: { status: 400, body: '<h1>', headers: html },
    },
    ...Object.fromEntries(
      [408, 415, 500, 503].map((status) => [`${status} has no body in the standard`, { answer: { status } }]),
    ),
    'nor has a 503 in front of the token endpoint': { call: token, answer: { status: 503 } },
    'a path that is none of the interface': {
      call: { target: '/css/login.css' },
      answer: { status: 404, body: '<h1>', headers: html },
    },
    'the answer to a HEAD': { call: { method: 'HEAD' }, answer: { status: 403 } },
    'a callback that the TPP did not take': {
      call: { listener: 'callback', target: '/cb' },
      answer: { status: 500 },
    },
    'a fault of the gateway': { answer: { status: 502, source: 'gateway' } },
  },
});
