/** A state out of the texts of a store is that of the facts themselves, with all that is looked up beside them. */
import { expect, it } from 'vitest';
import {
  type BankConsent,
  type BankPayment,
  type BankState,
  bankNameOf,
  createBankState,
  createWorld,
} from '../../src/bank/index.js';
import { applyStored } from '../../src/bank/world.js';
import { NOW, TPP } from '../builders.js';

const CONSENT = { id: 'c', tpp: TPP, asked: { psu: null }, psu: null, end: null };
const PAYMENT = {
  ...{ id: 'p', tpp: TPP, body: { dueAt: null }, debtor: 'a', creditor: 'b', psu: null, watch: null },
  ...{ authorisedAt: null, dueAt: null, execution: null, cancelledAt: null },
};
const BOOKED = { at: NOW, outcome: 'booked', reason: null, debited: 1, credited: 1 };

it.each<[string, 'bankConsents' | 'bankPayments', object]>([
  ['a consent that was created', 'bankConsents', CONSENT],
  ['a consent that a PSU gave', 'bankConsents', { ...CONSENT, psu: 'psu-1' }],
  ['a payment that was created', 'bankPayments', PAYMENT],
  ['a payment that is due', 'bankPayments', { ...PAYMENT, psu: 'psu-1', authorisedAt: NOW, dueAt: NOW }],
  ['a payment that was booked', 'bankPayments', { ...PAYMENT, dueAt: NOW, execution: BOOKED }],
  [
    'a payment of which a TPP is told',
    'bankPayments',
    { ...PAYMENT, watch: { uri: 'https://t', told: 'RCVD' } },
  ],
])('%s', (_, family, fact) => {
  const { id } = fact as BankConsent | BankPayment;
  const world = createWorld();
  applyStored(world, [{ family, key: id, text: JSON.stringify(fact) }]);
  const plain = createBankState([{ family, key: id, fact } as never]);
  const { bank } = world;
  const foundIn = ({ bankConsents, bankPayments, payments }: BankState) => ({
    given: [bankConsents, bankPayments].map((facts) => facts.all(bankNameOf.psu('psu-1'))),
    open: bankConsents.all(bankNameOf.open(TPP, 'psu-1')),
    due: payments.dueBy(NOW),
    watched: payments.watched,
    onAccounts: ['a', 'b'].map((one) => [[...payments.waitingOn(one)], payments.bookedOn(one)]),
  });
  expect(foundIn(bank)).toEqual(foundIn(plain));
  expect(bank[family].get(id)).toEqual(fact);
});
