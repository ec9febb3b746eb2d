import {
  PAYMENT_REQUESTS,
  PAYMENT_SERVICES,
  type PaymentService,
  type ProductCode,
} from '../../spec/index.js';
import { paymentsIn } from '../checks/each-payment.js';
import { amountPlaces } from '../checks/money.js';
import { productInPath } from '../checks/payment-calls.js';
import { judgeBody } from '../checks/request-body.js';
import { type BodySchema, bodySchema } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

const bodiesOf = (service: PaymentService): Record<ProductCode, BodySchema> => ({
  SCT: bodySchema(PAYMENT_REQUESTS[service].SCT),
  CBP: bodySchema(PAYMENT_REQUESTS[service].CBP),
});

const BODIES: Readonly<Record<string, Readonly<Record<ProductCode, BodySchema>>>> = Object.fromEntries(
  PAYMENT_SERVICES.map((service) => [service, bodiesOf(service)]),
);

export default defineRule({
  id: 'payments/body-well-formed',
  statement:
    'instructedAmount, debtorAccount, creditorAccount, creditorName are present with their types; of a bulk payment in each of its payments, of which there is one at least',
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
  fix: 'Send instructedAmount, debtorAccount, creditorAccount and creditorName in the shape of the standard; optional ones are left out rather than sent empty.',
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
    return judgeBody(context, bodies[product], amountPlaces(paymentsIn(call)));
  },
});
