/** A payment is in a status that clients know. */
import { memberOf } from '../../exchange/index.js';
import { PAYMENT_STATUSES, SPECIFIED_PAYMENT_STATUSES } from '../../spec/index.js';
import { readSuccess } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/payment-status-known',
  statement: "transactionStatus is one of the specification's (ACCC, ACFC, PART are tolerated as note)",
  clauses: ['states.payment'],
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  appliesTo: ({ tells }) => tells.includes('transactionStatus'),
  needs: [],
  refusal: null,
  why: 'A client cannot tell whether money will move when it does not know the status.',
  fix: 'Answer with a payment status code of the specification.',
  examples: { complies: '"transactionStatus":"ACSC"', violates: '"transactionStatus":"ACCEPTED"' },
  check: (context) => {
    const body = readSuccess(context);
    if (typeof body === 'string') return body;
    const status = memberOf(body.value, 'transactionStatus');
    // A missing one, another type or an empty text is for answers/body-well-formed.
    if (typeof status !== 'string' || status === '') return 'not-applicable';
    if (Object.hasOwn(PAYMENT_STATUSES, status)) return true;
    return {
      place: 'answer body transactionStatus',
      expected: SPECIFIED_PAYMENT_STATUSES.join(', '),
      actual: status,
    };
  },
});
