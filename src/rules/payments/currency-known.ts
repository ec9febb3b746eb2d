import { memberOf, type Place } from '../../exchange/index.js';
import { isCurrency } from '../../spec/index.js';
import { judgeEach } from '../checks/each-payment.js';
import { productInPath } from '../checks/payment-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/currency-known',
  statement: 'currency is an ISO 4217 code; EUR for SEPA credit transfers',
  clauses: ['payment-request.currency'],
  sources: ['ISO4217'],
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'SEPA transfers are in euro only, and a bank cannot book a currency that it does not know.',
  fix: 'Send the code of three capitals; for another currency than EUR use a cross-border product.',
  examples: { complies: '"currency":"EUR"', violates: '"currency":"eur"' },
  check: ({ call, options }) =>
    judgeEach(call, ({ payment, at }) => {
      const currency = memberOf(memberOf(payment, 'instructedAmount'), 'currency');
      const place: Place = `body ${at}instructedAmount.currency`;
      if (typeof currency !== 'string' || currency === '') return 'not-applicable';
      if (!isCurrency(currency))
        return violation(place, 'a currency code of ISO 4217, such as EUR', currency);
      if (productInPath({ call, options }) !== 'SCT' || currency === 'EUR') return true;
      return violation(place, 'EUR, as the product is a SEPA credit transfer', currency);
    }),
});
