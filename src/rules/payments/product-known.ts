import { PAYMENT_PRODUCTS } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { defineRule, type Violation, violation } from '../rule.js';

const PRODUCTS = Object.keys(PAYMENT_PRODUCTS).join(', ');

export default defineRule({
  id: 'payments/product-known',
  statement: 'The payment service is payments and the product one of the three spellings',
  clauses: ['path.payment-service', 'path.payment-product'],
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'payments',
  refusal: { code: 'PRODUCT_UNKNOWN' },
  why: 'The bank offers single payments of these products only.',
  fix: 'Use /payments/ with sepa-credit-transfers, cross-border-payments or cross-border-credit-transfers.',
  examples: {
    complies: 'POST …/payments/sepa-credit-transfers',
    violates: 'POST …/payments/instant-sepa-credit-transfers',
  },
  check: (context) => {
    const { paymentService = '', paymentProduct = '' } = context.call.params;
    const violations: Violation[] = [];
    if (paymentService !== 'payments')
      violations.push(violation('path paymentService', 'payments', paymentService));
    if (!Object.hasOwn(PAYMENT_PRODUCTS, paymentProduct))
      violations.push(violation('path paymentProduct', PRODUCTS, paymentProduct));
    return unlessGiven(context, violations);
  },
});
