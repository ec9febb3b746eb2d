import { fundsConfirmationRequest } from '../../spec/index.js';
import { paymentsIn } from '../checks/each-payment.js';
import { amountPlaces } from '../checks/money.js';
import { judgeBody } from '../checks/request-body.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

const BODY = bodySchema(fundsConfirmationRequest);

export default defineRule({
  id: 'funds/body-well-formed',
  statement: 'account and instructedAmount are present with their types',
  clauses: ['endpoint.funds-confirmations.create'],
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'funds-confirmations',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which account must cover which amount.',
  fix: 'Send the account with its iban, and instructedAmount with currency and amount.',
  examples: {
    complies:
      '{"account":{"iban":"BE68539007547034"},"instructedAmount":{"currency":"EUR","amount":"12.50"}}',
    violates: '{"account":"BE68539007547034"}',
  },
  check: (context) => judgeBody(context, BODY, amountPlaces(paymentsIn(context.call))),
});
