import { PAYMENT_REQUESTS, type ProductCode } from '../../spec/index.js';
import { AMOUNT_PLACE, amountIsThere } from '../checks/money.js';
import { productInPath } from '../checks/payment-calls.js';
import { judgeBody } from '../checks/request-body.js';
import { type BodySchema, bodySchema } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

const AMOUNT_ELSEWHERE = [AMOUNT_PLACE] as const;

const bodiesOf = ({ SCT, CBP }: (typeof PAYMENT_REQUESTS)['payments' | 'periodic-payments']) => ({
  SCT: bodySchema(SCT),
  CBP: bodySchema(CBP),
});

/** By payment service; of bulk payments no body is judged. */
const BODIES: Readonly<Record<string, Readonly<Record<ProductCode, BodySchema>>>> = {
  payments: bodiesOf(PAYMENT_REQUESTS.payments),
  'periodic-payments': bodiesOf(PAYMENT_REQUESTS['periodic-payments']),
};

export default defineRule({
  id: 'payments/body-well-formed',
  statement: 'instructedAmount, debtorAccount, creditorAccount, creditorName are present with their types',
  clauses: [
    'endpoint.payments.create',
    'payment-request.debtorAccount',
    'payment-request.creditorAccount',
    'payment-request.creditorName',
    'payment-request.requestedExecutionDate',
  ],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'payment',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A bank cannot execute a payment without debtor, amount and creditor.',
  fix: 'Send the four fields in the shape of the standard; optional ones are left out rather than sent empty.',
  examples: {
    complies:
      '{"instructedAmount":{"currency":"EUR","amount":"12.50"},"debtorAccount":{"iban":"BE68539007547034"},"creditorAccount":{"iban":"DE89370400440532013000"},"creditorName":"Example"}',
    violates: '{"instructedAmount":{"currency":"EUR"},"debtorAccount":"BE68539007547034"}',
  },
  check: (context) => {
    const { call } = context;
    const product = productInPath(context);
    // The body of a product that is not offered is not known.
    const bodies = BODIES[call.params.paymentService ?? ''];
    if (product === undefined || bodies === undefined) return 'not-applicable';
    return judgeBody(context, bodies[product], amountIsThere(call) ? AMOUNT_ELSEWHERE : []);
  },
});
