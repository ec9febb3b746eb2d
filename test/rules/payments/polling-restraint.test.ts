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
const soon = [
  {
    expected: 'one that was not read within the last second',
    actual: 'a payment whose status was read 200 ms before',
  },
];

testRule(rule, {
  complies: {
    'the first read': { call },
    'a second later': { call, ledger: readAt(NOW - 1_000) },
    'before a read of later, since which the clock was set back': { call, ledger: readAt(NOW + 86_400_000) },
    'soon after another payment': { call, ledger: readAt(NOW - 200, 'another-payment') },
    'soon after another TPP read the same literal id': {
      call: literal,
      ledger: readAt(NOW, LITERAL, OTHER_TPP),
    },
    'two different payments at once': {
      call,
      ledger: underWay({ ...call, params: { paymentId: 'another-payment' } }),
    },
    'the read of a payment itself is under way': {
      call,
      ledger: underWay({ ...call, operation: 'payments.read' }),
    },
  },
  violates: {
    'too soon': { call, ledger: readAt(NOW - 200), finds: soon },
    'too soon after a literal id was read': {
      call: literal,
      ledger: readAt(NOW - 200, LITERAL),
      finds: soon,
    },
    'while the read before is under way': { call, ledger: underWay({ ...call, at: NOW - 200 }), finds: soon },
  },
  notApplicable: { 'another read': { call: { operation: 'payments.read' } } },
  notObserved: { 'nobody knows who calls': { call: { ...call, certificate: 'absent' } } },
});
