import { isCurrency } from '../../spec/index.js';
import { productInPath } from '../checks/payment-calls.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

const PLACE = 'body instructedAmount.currency';

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
  check: ({ call, options }) => {
    const currency = bodyMember(call, 'instructedAmount', 'currency');
    if (typeof currency !== 'string' || currency === '') return 'not-applicable';
    if (!isCurrency(currency)) return violation(PLACE, 'a currency code of ISO 4217, such as EUR', currency);
    if (productInPath({ call, options }) !== 'SCT' || currency === 'EUR') return true;
    return violation(PLACE, 'EUR, as the product is a SEPA credit transfer', currency);
  },
});
