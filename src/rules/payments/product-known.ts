import { PAYMENT_SERVICES } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { defineRule, type Violation, violation } from '../rule.js';

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
    const { productsOf } = context.options.dialect;
    const services = PAYMENT_SERVICES.filter((service) => productsOf(service).length > 0);
    const service = services.find((one) => one === paymentService);
    const products = service === undefined ? services.flatMap(productsOf) : productsOf(service);
    const violations: Violation[] = [];
    if (service === undefined)
      violations.push(violation('path paymentService', services.join(', '), paymentService));
    if (!products.includes(paymentProduct))
      violations.push(violation('path paymentProduct', [...new Set(products)].join(', '), paymentProduct));
    return unlessGiven(context, violations);
  },
});
