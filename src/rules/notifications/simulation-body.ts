import { isAbsoluteHttpUri, SPECIFIED_PAYMENT_STATUSES, simulationRequest } from '../../spec/index.js';
import { bodyMember, judgeBody } from '../checks/request-body.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule, type Violation, violation } from '../rule.js';

const BODY = bodySchema(simulationRequest);
const STATUSES = new Set<string>(SPECIFIED_PAYMENT_STATUSES);

export default defineRule({
  id: 'notifications/simulation-body',
  statement:
    'paymentId, tppNotificationUri (absolute URL) and status (a code of the specification) are present',
  clauses: [
    'endpoint.notifications.simulate',
    'simulation-request.paymentId',
    'simulation-request.tppNotificationUri',
    'simulation-request.status',
    'events.1',
  ],
  appliesTo: ({ group }) => group === 'notifications',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The sandbox cannot send a notification without these three.',
  fix: 'Send paymentId, an absolute http or https address, and a status such as ACSC.',
  examples: {
    complies:
      '{"paymentId":"PAYMENT_ID_RCVD_SCT","tppNotificationUri":"http://localhost:9000/notify","status":"ACSC"}',
    violates: '{"paymentId":"PAYMENT_ID_RCVD_SCT","tppNotificationUri":"/notify","status":"DONE"}',
  },
  check: (context) => {
    const { call } = context;
    const outcome = judgeBody(context, BODY);
    if (!Array.isArray(outcome)) return outcome;
    const violations: Violation[] = [...outcome];
    const uri = bodyMember(call, 'tppNotificationUri');
    if (typeof uri === 'string' && uri !== '' && !isAbsoluteHttpUri(uri))
      violations.push(violation('body tppNotificationUri', 'an absolute http or https address', uri));
    const status = bodyMember(call, 'status');
    if (typeof status === 'string' && status !== '' && !STATUSES.has(status))
      violations.push(violation('body status', [...STATUSES].join(', '), status));
    return violations;
  },
});
