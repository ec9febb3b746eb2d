import { judgeIbans } from '../checks/money.js';
import { defineRule } from '../rule.js';

const ACCOUNTS = ['debtorAccount', 'creditorAccount'];

export default defineRule({
  id: 'payments/iban-valid',
  statement: "IBANs pass their country's length and the mod-97 check",
  clauses: ['payment-request.debtorAccount', 'payment-request.creditorAccount'],
  sources: ['ISO13616'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A mistyped account number is found here, and not when the money comes back.',
  fix: 'Check IBANs at the input, and send them in capitals without spaces.',
  examples: {
    complies: '"debtorAccount":{"iban":"BE68539007547034"}',
    violates: '"debtorAccount":{"iban":"BE68539007547035"}',
  },
  check: (context) => judgeIbans(context, ACCOUNTS),
});
