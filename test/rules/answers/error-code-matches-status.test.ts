import rule from '../../../src/rules/answers/error-code-matches-status.js';
import { testRule } from '../rule-tester.js';

const messages = (...codes: string[]) => ({
  tppMessages: codes.map((code) => ({ category: 'ERROR', code })),
});

testRule(rule, {
  complies: [
    { name: 'the status of the code', answer: { status: 401, body: messages('TOKEN_EXPIRED') } },
    { name: 'one of several statuses', answer: { status: 400, body: messages('CONSENT_UNKNOWN') } },
    {
      name: 'of two messages one gives the status',
      answer: { status: 401, body: messages('FORMAT_ERROR', 'ROLE_INVALID') },
    },
    { name: 'the code of a problem', answer: { status: 409, body: { type: 'x', code: 'STATUS_INVALID' } } },
    {
      name: 'an OAuth error',
      call: { operation: 'oauth.token' },
      answer: { status: 400, body: { error: 'invalid_grant' } },
    },
    {
      name: 'invalid_client with 401',
      call: { operation: 'oauth.token' },
      answer: { status: 401, body: { error: 'invalid_client' } },
    },
    { name: 'the spelling of older texts', answer: { status: 401, body: messages('CERTIFICATE_REVOKE') } },
  ],
  violates: [
    {
      name: 'another status',
      answer: { status: 403, body: messages('ACCESS_EXCEEDED') },
      finds: [
        {
          place: 'answer body tppMessages[0].code',
          expected: 'status 429 with ACCESS_EXCEEDED',
          actual: '403',
        },
      ],
    },
    {
      name: 'a problem with another status',
      answer: { status: 500, body: { type: 'x', code: 'FORMAT_ERROR' } },
    },
    {
      name: 'an OAuth error with another status',
      call: { operation: 'oauth.token' },
      answer: { status: 500, body: { error: 'invalid_grant' } },
      finds: [{ place: 'answer body error' }],
    },
  ],
  notApplicable: [
    { name: "a code of the bank's own", answer: { status: 418, body: messages('COFFEE_COLD') } },
    {
      name: 'a mere warning',
      answer: { status: 500, body: { tppMessages: [{ category: 'WARNING', code: 'FORMAT_ERROR' }] } },
    },
    { name: 'a success', answer: { status: 200, body: messages('FORMAT_ERROR') } },
    { name: 'another body', answer: { status: 500, body: [null] } },
    {
      name: 'a refusal of the gateway',
      answer: { status: 403, body: messages('ACCESS_EXCEEDED'), source: 'rule' },
    },
  ],
});
