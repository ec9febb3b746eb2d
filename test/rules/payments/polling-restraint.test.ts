import { keyOf } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/payments/polling-restraint.js';
import { type CallParts, NOW, OTHER_TPP, TPP } from '../../builders.js';
import { ledgerOf, PAYMENT, underWay } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const LITERAL = 'PAYMENT_ID_RCVD_SCT';
const call: CallParts = { operation: 'payments.status', params: { paymentId: PAYMENT } };
const literal: CallParts = { ...call, params: { paymentId: LITERAL } };
const readAt = (at: number, id = PAYMENT, tpp = TPP) =>
  ledgerOf({ family: 'polls', key: keyOf.resource(tpp, id), fact: { at } });
const soon = [{ expected: 'a pause of a second or more', actual: '200 ms' }];

testRule(rule, {
  complies: [
    { name: 'the first read', call },
    { name: 'a second later', call, ledger: readAt(NOW - 1_000) },
    {
      name: 'before a read of later, since which the clock was set back',
      call,
      ledger: readAt(NOW + 86_400_000),
    },
    { name: 'soon after another payment', call, ledger: readAt(NOW - 200, 'another-payment') },
    {
      name: 'soon after another TPP read the same literal id',
      call: literal,
      ledger: readAt(NOW, LITERAL, OTHER_TPP),
    },
    {
      name: 'two different payments at once',
      call,
      ledger: underWay({ ...call, params: { paymentId: 'another-payment' } }),
    },
    {
      name: 'the read of a payment itself is under way',
      call,
      ledger: underWay({ ...call, operation: 'payments.read' }),
    },
  ],
  violates: [
    { name: 'too soon', call, ledger: readAt(NOW - 200), finds: soon },
    {
      name: 'too soon after a literal id was read',
      call: literal,
      ledger: readAt(NOW - 200, LITERAL),
      finds: soon,
    },
    {
      name: 'while the read before is under way',
      call,
      ledger: underWay({ ...call, at: NOW - 200 }),
      finds: soon,
    },
  ],
  notApplicable: [{ name: 'another read', call: { operation: 'payments.read' } }],
  notObserved: [{ name: 'nobody knows who calls', call: { ...call, certificate: 'absent' } }],
});
