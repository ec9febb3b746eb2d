/** The callback names the payment and its status. */
import { memberOf } from '../../exchange/index.js';
import { callback, PAYMENT_STATUSES, SPECIFIED_PAYMENT_STATUSES } from '../../spec/index.js';
import { schemaViolations } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/callback-body',
  statement: 'The callback holds payment-ID and transactionStatus',
  clauses: ['notification-body.payment-ID', 'notification-body.transactionStatus', 'events.2'],
  sources: [],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  appliesTo: 'all',
  needs: [],
  refusal: null,
  why: 'The TPP cannot tell which payment changed, or into what.',
  fix: 'Send payment-ID and transactionStatus, a payment status code, in a JSON body.',
  examples: {
    complies: '{"payment-ID":"PAYMENT_ID_ACSC_SCT","transactionStatus":"ACSC"}',
    violates: '{"paymentId":"PAYMENT_ID_ACSC_SCT","status":"ACSC"}',
  },
  check: ({ call }) => {
    if (call.direction === 'to-bank') return 'not-applicable';
    const { content } = call;
    if (content.kind === 'not-observed') return 'not-observed';
    if (content.kind !== 'json') {
      return {
        place: 'body',
        expected: 'a JSON body',
        actual: content.kind === 'none' ? 'absent' : 'no JSON',
      };
    }
    const violations = schemaViolations(callback, content.value, 'body');
    const status = memberOf(content.value, 'transactionStatus');
    if (typeof status === 'string' && status !== '' && !Object.hasOwn(PAYMENT_STATUSES, status)) {
      const expected = SPECIFIED_PAYMENT_STATUSES.join(', ');
      violations.push({ place: 'body transactionStatus', expected, actual: status });
    }
    return violations;
  },
});
