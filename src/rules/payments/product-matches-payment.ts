import { ownerOf, paymentOf } from '../../ledger/index.js';
import { productInPath, productOfPayment } from '../checks/payment-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/product-matches-payment',
  statement: 'The product in the path is that of the payment',
  clauses: ['sandbox-ids.payments', 'endpoint.payments.read', 'endpoint.payments.authorisations.list'],
  sources: ['BG'],
  appliesTo: ({ on }) => on === 'payment',
  refusal: { code: 'RESOURCE_UNKNOWN', status: 403 },
  why: 'Under another product the bank does not find the payment.',
  fix: 'Keep the product with the payment id, or follow the links of the initiation.',
  examples: {
    complies: 'GET …/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT',
    violates: 'GET …/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_CBP',
  },
  check: ({ call, ledger, options }) => {
    const inPath = productInPath({ call, options });
    if (inPath === undefined) return 'not-applicable';
    const own = productOfPayment({ call, ledger, options });
    if (own === undefined) return 'not-observed';
    const id = call.params.paymentId ?? '';
    return (
      own === inPath ||
      violation(
        'path paymentProduct',
        `the product of ${id}: ${paymentOf(ledger, ownerOf(call), id)?.product ?? own}`,
        call.params.paymentProduct ?? '',
      )
    );
  },
});
