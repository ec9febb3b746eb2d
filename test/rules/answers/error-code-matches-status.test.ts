import rule from '../../../src/rules/answers/error-code-matches-status.js';
import { testRule } from '../rule-tester.js';

const messages = (...codes: string[]) => ({
  tppMessages: codes.map((code) => ({ category: 'ERROR', code })),
});

testRule(rule, {
  complies: {
    'the status of the code': { answer: { status: 401, body: messages('TOKEN_EXPIRED') } },
    'one of several statuses': { answer: { status: 400, body: messages('CONSENT_UNKNOWN') } },
    'of two messages one gives the status': {
      answer: { status: 401, body: messages('FORMAT_ERROR', 'ROLE_INVALID') },
    },
    'the code of a problem': { answer: { status: 409, body: { type: 'x', code: 'STATUS_INVALID' } } },
    'an OAuth error': {
      call: { operation: 'oauth.token' },
      answer: { status: 400, body: { error: 'invalid_grant' } },
    },
    'invalid_client with 401': {
      call: { operation: 'oauth.token' },
      answer: { status: 401, body: { error: 'invalid_client' } },
    },
    'the spelling of older texts': { answer: { status: 401, body: messages('CERTIFICATE_REVOKE') } },
  },
  violates: {
    'another status': {
      answer: { status: 403, body: messages('ACCESS_EXCEEDED') },
      finds: [
        {
          place: 'answer body tppMessages[0].code',
          expected: 'sent with status 429',
          actual: 'ACCESS_EXCEEDED, with status 403',
        },
      ],
    },
    'a problem with another status': { answer: { status: 500, body: { type: 'x', code: 'FORMAT_ERROR' } } },
    'an OAuth error with another status': {
      call: { operation: 'oauth.token' },
      answer: { status: 500, body: { error: 'invalid_grant' } },
      finds: [{ place: 'answer body error' }],
    },
  },
  notApplicable: {
    "a code of the bank's own": { answer: { status: 418, body: messages('COFFEE_COLD') } },
    'a mere warning': {
      answer: { status: 500, body: { tppMessages: [{ category: 'WARNING', code: 'FORMAT_ERROR' }] } },
    },
    'a success': { answer: { status: 200, body: messages('FORMAT_ERROR') } },
    'another body': { answer: { status: 500, body: [null] } },
    'a refusal of the gateway': {
      answer: { status: 403, body: messages('ACCESS_EXCEEDED'), source: 'rule' },
    },
  },
});
