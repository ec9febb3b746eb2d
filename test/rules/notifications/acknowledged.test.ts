import { describe, expect, it } from 'vitest';
import { closeCall } from '../../../src/exchange/index.js';
import { createLedger } from '../../../src/ledger/index.js';
import { judgeByRule } from '../../../src/rules/index.js';
import rule from '../../../src/rules/notifications/acknowledged.js';
import { aCall, type CallParts, fingerprint, judgeOptions } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const call: CallParts = {
  method: 'POST',
  target: '/notify',
  listener: 'callback',
  certificate: 'absent',
  body: { 'payment-ID': 'PAYMENT_ID_RCVD_SCT', transactionStatus: 'ACSC' },
};

testRule(rule, {
  complies: {
    '200': { call, answer: { status: 200 } },
    '204': { call, answer: { status: 204 } },
  },
  violates: {
    'an error of the TPP': {
      call,
      answer: { status: 500 },
      finds: [{ place: 'answer', expected: 'a status 2xx in time', actual: 'status 500' }],
    },
    'a redirect': { call, answer: { status: 302 } },
  },
  notApplicable: {
    'a call of the TPP': { call: { operation: 'consents.read' }, answer: { status: 500 } },
  },
});

describe('a callback that nobody answers', () => {
  it('is violated, with what failed', () => {
    const fault = { kind: 'timeout', message: 'no answer within 5 s' } as const;
    const exchange = closeCall(aCall(call), null, { total: 5_000, answerer: 5_000 }, fault);
    const result = judgeByRule(rule, exchange, createLedger(), judgeOptions(), fingerprint);
    expect(result.verdict).toBe('violated');
    expect(result.violations).toMatchObject([{ place: 'answer', actual: 'no answer within 5 s' }]);
  });
});
