import { describe, expect, it } from 'vitest';
import {
  type Account,
  applyBankChanges,
  authorisePayment,
  availableBalance,
  type BankPayment,
  lookSettled,
  paymentChange,
  paymentStatusAt,
  pendingEntries,
  settleDue,
  settlePayment,
} from '../../src/bank/index.js';
import { aPayment, booksOf, DAY, HOUR, MINUTE, NOON, type OwnBooks } from './a-bank.js';

/** What acc-1 holds at noon: a unit a day since 1970. */
const HELD = (Math.floor(NOON / DAY) + 1) * 100;

let made = 0;
/** Authorised at a time, and in the books. */
function pay(books: OwnBooks, given: Partial<BankPayment> = {}, now = NOON): string {
  const id = `payment-${++made}`;
  const changes = authorisePayment(aPayment({ id, createdAt: now, ...given }), 'psu-1', now);
  if (typeof changes === 'string') throw new Error(changes);
  applyBankChanges(books.state, changes);
  return id;
}
const settle = (books: OwnBooks, now: number) => applyBankChanges(books.state, settleDue(books, now));
const executionOf = (books: OwnBooks, id: string) => books.state.bankPayments.get(id)?.execution;

describe('a payment that is due', () => {
  it('is booked at its time, once, whenever somebody looks', () => {
    const books = booksOf();
    const id = pay(books);
    expect(settleDue(books, NOON + 3 * HOUR - 1)).toEqual([]);
    settle(books, NOON + DAY);
    const booked = { at: NOON + 3 * HOUR, outcome: 'booked', reason: null, debited: 1250, credited: 0 };
    expect(executionOf(books, id)).toEqual(booked);
    expect(settleDue(books, NOON + 9 * DAY)).toEqual([]);
  });

  it('is rejected where the money is not there, to the cent', () => {
    const books = booksOf();
    const [all, more] = [pay(books, { amount: HELD }), pay(books, { amount: 1 })];
    settle(books, NOON + 3 * HOUR);
    expect(executionOf(books, all)).toMatchObject({ outcome: 'booked' });
    expect(executionOf(books, more)).toMatchObject({ outcome: 'rejected', reason: 'AM04', debited: 0 });
  });

  it('leaves the money of those that were authorised before it, though they are due later', () => {
    const books = booksOf();
    const product = 'cross-border-payments';
    const first = pay(books, { product, amount: HELD - 100 }, NOON - 2 * HOUR - 30 * MINUTE);
    const second = pay(books, { amount: 101 });
    const third = pay(books, { amount: 100 });
    settle(books, NOON + 3 * HOUR);
    const outcome = (id: string) => executionOf(books, id)?.outcome;
    expect([first, second, third].map(outcome)).toEqual(['booked', 'rejected', 'booked']);
    const later = pay(books, { product, amount: 50 }, NOON + 4 * HOUR);
    const sooner = pay(books, { amount: 51, creditor: 'acc-3' }, NOON + 5 * HOUR);
    settle(books, NOON + 5 * HOUR);
    expect(outcome(sooner)).toBe('rejected');
    settle(books, NOON + DAY);
    expect(outcome(later)).toBe('booked');
  });

  it('leaves no money of those that are not covered: nothing is kept for them', () => {
    const books = booksOf();
    const date = { requestedExecutionDate: '2026-03-03' };
    const much = pay(books, { amount: 100 * HELD, body: date });
    const small = pay(books, { amount: 100 }, NOON + DAY);
    const account = books.population.account('acc-1') as Account;
    expect(availableBalance(books, account, NOON + DAY)).toBe(HELD + 100 - 100);
    expect(pendingEntries(books, account, NOON + DAY).map(({ amount }) => amount)).toEqual([-100]);
    settle(books, NOON + 2 * DAY);
    expect(executionOf(books, much)).toMatchObject({ outcome: 'rejected', reason: 'AM04' });
    expect(executionOf(books, small)).toMatchObject({ outcome: 'booked' });
  });

  it('keeps the money that was reserved for it, whatever was authorised before it for a later day', () => {
    const books = booksOf();
    const product = 'cross-border-payments';
    const early = pay(books, { product, amount: HELD, body: { requestedExecutionDate: '2026-03-03' } });
    const reserved = pay(books, { product, amount: HELD }, NOON + HOUR);
    settle(books, NOON + 2 * DAY);
    const outcome = (id: string) => executionOf(books, id)?.outcome;
    expect([early, reserved].map(outcome)).toEqual(['rejected', 'booked']);
  });

  it('brings the creditor of this bank what it can spend from then on', () => {
    const books = booksOf();
    const there = pay(books, { creditor: 'acc-3', amount: HELD });
    const back = pay(books, { debtor: 'acc-3', creditor: 'acc-1', amount: 2 * HELD }, NOON + 1);
    settle(books, NOON + 1);
    expect(executionOf(books, there)).toMatchObject({ outcome: 'booked', credited: HELD });
    expect(executionOf(books, back)).toMatchObject({ outcome: 'booked', debited: 2 * HELD });
  });

  it('counts what came at the same time once', () => {
    const books = booksOf();
    const body = { requestedExecutionDate: '2026-03-03' };
    const there = pay(books, { creditor: 'acc-3', amount: 500, body });
    const back = pay(books, { debtor: 'acc-3', creditor: 'acc-joint', amount: HELD + 100 + 501, body });
    settle(books, NOON + DAY);
    expect(executionOf(books, there)).toMatchObject({ outcome: 'booked', credited: 500 });
    expect(executionOf(books, back)).toMatchObject({ outcome: 'rejected', reason: 'AM04' });
  });

  it.each([
    ['AC04', { debtor: 'acc-closed' }],
    ['AC04', { debtor: 'nowhere' }],
    ['AC07', { creditor: 'acc-closed' }],
  ] as const)('is rejected with %s for an account that is closed', (reason, given) => {
    const books = booksOf();
    const id = pay(books, given);
    settle(books, NOON + DAY);
    expect(executionOf(books, id)).toMatchObject({ outcome: 'rejected', reason });
  });

  it('is exchanged at the rates of the bank, into the currency of each account', () => {
    const books = booksOf();
    const id = pay(books, { debtor: 'acc-2', creditor: 'acc-3', amount: 10_000 });
    settle(books, NOON);
    expect(executionOf(books, id)).toMatchObject({ debited: 10_800, credited: 10_000 });
  });
});

describe('who looks', () => {
  it('sees all decided that is due, carries it, and leaves the bank as it was', () => {
    const books = booksOf();
    const id = pay(books);
    const now = NOON + DAY;
    const seen = lookSettled(books, now, () => {
      const payment = books.state.bankPayments.get(id) as BankPayment;
      return { status: paymentStatusAt(payment, now), changes: [paymentChange({ ...payment, watch: null })] };
    });
    expect(seen.status).toBe('ACSC');
    expect(seen.changes).toHaveLength(2);
    expect(executionOf(books, id)).toBeNull();
    expect(books.state.payments.bookedOn('acc-1')).toEqual([]);
    applyBankChanges(books.state, seen.changes);
    expect(books.state.payments.bookedOn('acc-1')).toMatchObject([{ amount: -1250, sum: -1250 }]);
  });
});

describe('the bank that settles a payment ahead of its time', () => {
  it('books it now, against the real balance, and only where the PSU has authorised it', () => {
    const books = booksOf();
    const payment = books.state.bankPayments.get(pay(books)) as BankPayment;
    expect(settlePayment(books, payment, NOON)).toMatchObject([
      { fact: { execution: { at: NOON, outcome: 'booked' } } },
    ]);
    expect(settlePayment(books, { ...payment, amount: HELD + 1 }, NOON)).toMatchObject([
      { fact: { execution: { reason: 'AM04' } } },
    ]);
    expect(settlePayment(books, aPayment(), NOON)).toBeNull();
  });
});
