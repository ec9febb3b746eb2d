import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'notifications/acknowledged',
  statement: "The TPP's endpoint answers the callback with 2xx in time",
  sources: ['practice'],
  severity: { sandbox: 'should', production: 'should' },
  scope: 'exchange',
  appliesTo: 'all',
  why: 'A notification that is not acknowledged is lost after a few tries, and the TPP does not get the status.',
  fix: 'Answer 2xx at once, and work on the notification afterwards.',
  examples: { complies: '204 within a second', violates: '500, a redirect, or no answer in time' },
  check: ({ call, exchange }) => {
    if (call.direction === 'to-bank') return 'not-applicable';
    const { answer, fault } = exchange;
    if (answer !== null && answer.status >= 200 && answer.status < 300) return true;
    return violation(
      'answer',
      'a status 2xx in time',
      answer === null ? (fault?.message ?? 'no answer') : `status ${answer.status}`,
    );
  },
});
