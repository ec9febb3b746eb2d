import { ownerOf, paymentOf } from '../../ledger/index.js';
import { judgeSecondAuthorisation } from '../checks/authorised-once.js';
import { productInPath, productOfPayment } from '../checks/payment-calls.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'payments/authorised-once',
  statement: 'No second authorisation of a payment is created where one was created implicitly',
  clauses: ['creation.1', 'creation.2', 'endpoint.payments.authorisations.create'],
  appliesTo: ({ creates, on }) => creates === 'authorisation' && on === 'payment',
  refusal: { code: 'STATUS_INVALID' },
  why: 'The PSU would face two authorisations of one payment; the bank forbids it.',
  fix: 'Use the scaOAuth link of the creation while its authorisation lasts. After it has ended, create another payment; with TPP-Explicit-Authorisation-Preferred: true, a payment can be authorised in several tries.',
  examples: {
    complies: 'POST …/P/authorisations, after creating P with TPP-Explicit-Authorisation-Preferred: true',
    violates: 'the same after TPP-Explicit-Authorisation-Preferred: false, or without the header',
  },
  check: ({ call, ledger, options }) => {
    const id = call.params.paymentId ?? '';
    // Under another product no payment is addressed: payments/product-matches-payment.
    const own = productOfPayment({ call, ledger, options });
    if (own !== undefined && own !== productInPath({ call, options })) return 'not-applicable';
    return judgeSecondAuthorisation(paymentOf(ledger, ownerOf(call), id), id, call.at, options);
  },
});
