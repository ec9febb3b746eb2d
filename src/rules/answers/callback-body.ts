import { callback, PAYMENT_STATUSES, SPECIFIED_PAYMENT_STATUSES } from '../../spec/index.js';
import { judgeJson } from '../checks/bank-answer.js';
import { bodyMember } from '../checks/request-body.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule, violation } from '../rule.js';

const BODY = bodySchema(callback);

export default defineRule({
  id: 'answers/callback-body',
  statement: 'The callback holds payment-ID and transactionStatus',
  clauses: ['notification-body.payment-ID', 'notification-body.transactionStatus', 'events.2'],
  judges: 'aspsp',
  appliesTo: 'all',
  why: 'The TPP cannot tell which payment changed, or into what.',
  fix: 'Send payment-ID and transactionStatus, a payment status code, in a JSON body.',
  examples: {
    complies: '{"payment-ID":"PAYMENT_ID_ACSC_SCT","transactionStatus":"ACSC"}',
    violates: '{"paymentId":"PAYMENT_ID_ACSC_SCT","status":"ACSC"}',
  },
  check: ({ call, options: { dialect } }) => {
    if (call.direction === 'to-bank') return 'not-applicable';
    const violations = judgeJson(call.content, BODY, 'body');
    if (typeof violations === 'string') return violations;
    const status = bodyMember(call, 'transactionStatus');
    const isKnown = (code: string) =>
      Object.hasOwn(PAYMENT_STATUSES, code) || dialect.isFurtherStatus('transactionStatus', code);
    if (typeof status === 'string' && status !== '' && !isKnown(status)) {
      const expected = SPECIFIED_PAYMENT_STATUSES.join(', ');
      violations.push(violation('body transactionStatus', expected, status));
    }
    return violations;
  },
});
