import rule from '../../../src/rules/payments/polling-restraint.js';
import { type CallParts, NOW } from '../../builders.js';
import { aPayment, ledgerOf, PAYMENT } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const call: CallParts = { operation: 'payments.status', params: { paymentId: PAYMENT } };
const readAt = (statusReadAt: number | null) => ledgerOf(aPayment({ statusReadAt }));

testRule(rule, {
  complies: [
    { name: 'the first read', call, ledger: readAt(null) },
    { name: 'a second later', call, ledger: readAt(NOW - 1_000) },
  ],
  violates: [
    {
      name: 'too soon',
      call,
      ledger: readAt(NOW - 200),
      finds: [{ expected: 'a pause of a second or more', actual: '200 ms' }],
    },
  ],
  notApplicable: [{ name: 'another read', call: { operation: 'payments.read' } }],
  notObserved: [{ name: 'a payment that was not seen', call }],
});
