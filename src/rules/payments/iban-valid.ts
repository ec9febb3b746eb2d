import { type Call, memberOf, type Place } from '../../exchange/index.js';
import { paymentsIn } from '../checks/each-payment.js';
import { judgeIbanMembers } from '../checks/money.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'payments/iban-valid',
  statement: "IBANs in a payment pass their country's length and the mod-97 check",
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
  check: ({ call, options }) => judgeIbanMembers(ibansIn(call), options.dialect),
});

/** Several payments together have one debtor. */
function* ibansIn(call: Call): Generator<readonly [Place, unknown]> {
  yield ['body debtorAccount.iban', bodyMember(call, 'debtorAccount', 'iban')];
  for (const { payment, at } of paymentsIn(call))
    yield [`body ${at}creditorAccount.iban`, memberOf(memberOf(payment, 'creditorAccount'), 'iban')];
}
