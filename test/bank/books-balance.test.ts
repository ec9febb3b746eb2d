/** Whatever TPPs, PSUs, the bank with any habits and the time do to payments: no cent is made or lost, and nothing happens twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Account,
  applyBankChanges,
  authorisePayment,
  type BankChange,
  type BankPayment,
  bankChangeBack,
  bookedBalance,
  booksAt,
  CALM,
  cancelPayment,
  createBankState,
  createHabitualPopulation,
  isOrder,
  isPaymentOf,
  type LivingPopulation,
  type Population,
  pageOfBooked,
  paymentChange,
  paymentStatusAt,
  rejectPayment,
  settleDue,
  settlePayment,
  standingOrderFrom,
} from '../../src/bank/index.js';
import { bankDayAt, PAYMENT_STATUSES } from '../../src/spec/index.js';
import { ACCOUNTS, aPayment, booksOf, DAY, HOUR, MINUTE, NOON, type OwnBooks, POPULATION } from './a-bank.js';
import { ANY_HABITS } from './any-habits.js';

/** The bank of other tests, and accounts in currencies with larger and smaller units. */
const ALL = [
  ...ACCOUNTS,
  ...['CHF', 'JPY', 'KWD'].map(
    (currency): Account => ({ ...(ACCOUNTS[0] as Account), resourceId: `acc-${currency}`, currency }),
  ),
];
const PLAIN: Population = {
  ...POPULATION,
  accountsOf: (psu) => ALL.filter(({ owners }) => owners.includes(psu)),
  account: (id) => ALL.find(({ resourceId }) => resourceId === id),
};
/** What a walk meets besides: faults, which change no fact of the bank, would stand beside the habits. */
const WEATHER = fc.record({ habits: fc.oneof(fc.constant(CALM), ANY_HABITS), seed: fc.nat() });
const IDS = ALL.map(({ resourceId }) => resourceId);
const nth = fc.nat({ max: 30 });
const STEP = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    debtor: fc.constantFrom(...IDS),
    creditor: fc.constantFrom(null, ...IDS),
    // What an account holds is about 20,500.00: some cannot be paid.
    amount: fc.oneof(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 500_000, max: 3_000_000 }),
    ),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'CHF', 'INR', 'JPY', 'KWD'),
    product: fc.constantFrom('sepa-credit-transfers' as const, 'cross-border-payments' as const),
    date: fc.constantFrom(undefined, '2026-03-04', '2026-03-07'),
  }),
  fc.record({
    do: fc.constant('order' as const),
    debtor: fc.constantFrom(...IDS),
    payees: fc.array(fc.constantFrom(null, ...IDS), { minLength: 1, maxLength: 4 }),
    amount: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 500_000, max: 3_000_000 })),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    standing: fc.constantFrom(undefined, 'Daily' as const, 'Weekly' as const),
  }),
  fc.record({ do: fc.constant('authorise' as const), nth, psu: fc.constantFrom('psu-1', 'psu-2') }),
  fc.record({ do: fc.constant('authorise' as const), nth, psu: fc.constantFrom('psu-1', 'psu-2') }),
  fc.record({ do: fc.constantFrom('refuse' as const, 'cancel' as const, 'settle' as const), nth }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(MINUTE, HOUR, 5 * HOUR, DAY, 4 * DAY) }),
  fc.record({ do: fc.constantFrom('restart' as const, 'lose' as const) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

interface Walk {
  readonly bank: LivingPopulation;
  books: OwnBooks;
  now: number;
  made: number;
}

/** What a step does, as a bank that has decided all that is due would. */
function changesOf({ bank, books, now, made }: Walk, step: Step): readonly BankChange[] | string | null {
  if (step.do === 'create') {
    const { date, do: _, ...asked } = step;
    const body = date === undefined ? {} : { requestedExecutionDate: date };
    const id = `payment-${String(made).padStart(2, '0')}`;
    const payment = aPayment({ ...asked, id, createdAt: now, body });
    const habit = bank.draws?.payment(payment, now);
    return [paymentChange(habit === undefined ? payment : { ...payment, habit })];
  }
  if (step.do === 'order') {
    const order = orderOf(step, made, now);
    const psu = ['psu-1', 'psu-2'].find((one) => isPaymentOf(books, order, one));
    return psu === undefined ? [paymentChange(order)] : authorisePayment(order, psu, now);
  }
  if (!('nth' in step)) return [];
  const payments = [...books.state.bankPayments.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const payment = payments[step.nth % payments.length];
  if (payment === undefined) return [];
  if (step.do === 'authorise')
    return isPaymentOf(books, payment, step.psu) ? authorisePayment(payment, step.psu, now) : [];
  if (step.do === 'refuse') return rejectPayment(payment, 'MS02', now);
  return step.do === 'cancel' ? cancelPayment(payment, now) : settlePayment(books, payment, now);
}

/** A bulk payment, or a standing order that ends on 20 March. */
function orderOf(step: Extract<Step, { do: 'order' }>, made: number, now: number): BankPayment {
  const { payees, standing: frequency, do: _, ...asked } = step;
  const given = { ...asked, id: `payment-${String(made).padStart(2, '0')}`, createdAt: now, body: {} };
  const [first = null] = payees;
  if (frequency === undefined) {
    const parts = payees.map((creditor, nth) => ({ body: {}, amount: asked.amount + nth, creditor }));
    return aPayment({ ...given, parts });
  }
  const [start, end] = [bankDayAt(now), bankDayAt(NOON) + 18];
  const terms = { frequency, rule: 'following' as const, start, end, dayOfMonth: 1 };
  const standing = standingOrderFrom(terms, start);
  return aPayment({ ...given, creditor: first, ...(standing === undefined ? {} : { standing }) });
}

/** With accounts as they are now. */
const booksOn = ({ bank, books: { state }, now }: Walk): OwnBooks => ({
  ...booksAt({ state, population: bank }, now),
  state,
});

function go(walk: Walk, step: Step): void {
  if (step.do === 'wait') walk.now += step.ms;
  if (step.do === 'restart') {
    const facts = [...walk.books.state.bankPayments.values()].map(paymentChange);
    walk.books = { ...walk.books, state: createBankState(facts) };
  }
  walk.books = booksOn(walk);
  const { state } = walk.books;
  applyBankChanges(state, settleDue(walk.books, walk.now));
  const changes = changesOf(walk, step);
  if (step.do === 'create' || step.do === 'order') walk.made++;
  if (typeof changes === 'string' || changes === null) return;
  applyBankChanges(state, changes);
  if (step.do !== 'lose') return;
  // What could not be kept is taken back, and decided anew.
  const later = settleDue(walk.books, walk.now + DAY);
  const back = later.map((change) => bankChangeBack(state, change));
  applyBankChanges(state, later);
  applyBankChanges(state, back);
}

const booked = ({ state }: OwnBooks): BankPayment[] =>
  [...state.bankPayments.values()].filter(
    (payment) => payment.execution?.outcome === 'booked' && !isOrder(payment),
  );

/** In euro, without any rounding. */
const RATES: Readonly<Record<string, number>> = {
  EUR: 100,
  USD: 108,
  CHF: 95,
  INR: 9100,
  JPY: 160,
  KWD: 330,
};
const worth = (minor: number, currency = ''): number => minor / (RATES[currency] ?? Number.NaN);

/** By currency: what accounts have more than by themselves, what left the bank, and what its exchange took in. */
function checkBalance(books: OwnBooks, now: number): void {
  const sums = new Map<string, number>();
  const add = (currency: string, amount: number) => sums.set(currency, (sums.get(currency) ?? 0) + amount);
  const [first, today] = [bankDayAt(NOON), bankDayAt(now)];
  for (const { resourceId, currency } of ALL) {
    const balance = bookedBalance(books, resourceId, now);
    const { population } = books;
    add(currency, balance - population.balance(resourceId, today));
    const page = { now, offset: 0, limit: 1_000 };
    const entries = pageOfBooked(books, resourceId, { from: first, to: today }, page);
    const since = entries.reduce((sum, { amount }) => sum + amount, 0);
    expect(population.balance(resourceId, first - 1) + since).toBe(balance);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  }
  for (const { amount, currency, debtor, creditor, execution, returnedAt } of booked(books)) {
    const [from, to] = [debtor, creditor].map((id) => ALL.find(({ resourceId }) => resourceId === id));
    const [taken, given] = [execution?.debited ?? 0, execution?.credited ?? 0];
    expect(taken).toBeGreaterThan(0);
    if (from?.currency === currency) expect(taken).toBe(amount);
    if (to?.currency === currency) expect(given).toBe(amount);
    if (to === undefined) expect(given).toBe(0);
    // The exchange takes the debtor's currency in, and gives the creditor's, or that of the payment out of the bank.
    if (returnedAt === undefined) add(from?.currency ?? '', taken);
    if (to !== undefined) add(to.currency, -given);
    const [paidIn, paidOut] = [worth(taken, from?.currency), to && worth(given, to.currency)];
    const instructed = worth(amount, currency);
    if (paidOut !== undefined) expect(paidOut).toBeLessThanOrEqual(paidIn * (1 + 1e-12));
    // The debit exceeds the amount by less than one unit of its currency.
    expect(paidIn).toBeGreaterThanOrEqual(instructed * (1 - 1e-12));
    expect(paidIn - worth(1, from?.currency)).toBeLessThan(instructed);
  }
  expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
}

/** No account was debited by more than it could spend then. */
function checkFunds(books: OwnBooks): void {
  for (const { debtor, execution, returnedAt } of booked(books)) {
    if (debtor === null || execution === null) continue;
    if (returnedAt !== undefined) expect(returnedAt).toBeGreaterThan(execution.at);
    const { population } = booksAt(books, execution.at);
    const moved = books.state.payments.bookedOn(debtor).filter(({ at }) => at <= execution.at);
    const sum = moved.reduce((all, { amount }) => all + amount, 0);
    expect(population.balance(debtor, bankDayAt(execution.at)) + sum).toBeGreaterThanOrEqual(0);
  }
}

describe('payments', () => {
  it('balance to the cent, are decided once, and only move on, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40, size: 'max' }), WEATHER, (steps, { habits, seed }) => {
        const bank = createHabitualPopulation(PLAIN, habits, seed);
        const walk: Walk = { bank, books: { ...booksOf(), population: bank }, now: NOON, made: 0 };
        const before = new Map<string, BankPayment>();
        for (const step of steps) {
          const was = walk.now;
          go(walk, step);
          for (const [id, payment] of walk.books.state.bankPayments) {
            const known = before.get(id);
            before.set(id, payment);
            if (known === undefined) continue;
            if (known.execution !== null) expect(payment.execution).toEqual(known.execution);
            const [from, to] = [paymentStatusAt(known, was), paymentStatusAt(payment, walk.now)];
            if (PAYMENT_STATUSES[from].final) expect(to).toBe(from);
            expect(PAYMENT_STATUSES[to].rank).toBeGreaterThanOrEqual(PAYMENT_STATUSES[from].rank);
          }
          checkBalance(walk.books, walk.now);
        }
        // The last is executed, and has come back.
        walk.now += 25 * DAY;
        go(walk, { do: 'wait', ms: 0 as never });
        checkFunds(walk.books);
        checkBalance(walk.books, walk.now);
        expect(walk.books.state.payments.undecided).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
