import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Account,
  applyBankChanges,
  authorisePayment,
  availableBalance,
  type BankPayment,
  balancesAt,
  bookedBalance,
  countBooked,
  pageOfBooked,
  pendingEntries,
  settleDue,
} from '../../src/bank/index.js';
import { dayOf } from '../../src/spec/index.js';
import { ACCOUNTS, aPayment, booksOf, DAY, HOUR, NOON, type OwnBooks } from './a-bank.js';

const [ACCOUNT] = ACCOUNTS as [Account];
const TODAY = Math.floor(NOON / DAY);
const HELD = (TODAY + 1) * 100;

/** With payments authorised at these times, and all executed that is due by the last of them or by `now`. */
function booksWith(now: number, ...payments: (Partial<BankPayment> & { at: number })[]): OwnBooks {
  const books = booksOf();
  for (const [nth, { at, ...given }] of payments.entries()) {
    const changes = authorisePayment(aPayment({ id: `p-${nth}`, createdAt: at, ...given }), 'psu-1', at);
    if (typeof changes !== 'string') applyBankChanges(books.state, changes);
  }
  applyBankChanges(books.state, settleDue(books, now));
  return books;
}

describe('the booked entries of an account', () => {
  it('are payments and postings, newest first, with what the payment said', () => {
    const books = booksWith(NOON + 3 * HOUR, { at: NOON });
    const period = { from: TODAY - 1, to: TODAY };
    const entries = pageOfBooked(books, 'acc-1', period, { now: NOON + 3 * HOUR, offset: 0, limit: 10 });
    expect(entries.map(({ id }) => id)).toEqual(['p-0-debit', `acc-1-${TODAY}`, `acc-1-${TODAY - 1}`]);
    expect(entries[0]).toEqual({
      id: 'p-0-debit',
      account: 'acc-1',
      bookingDay: TODAY,
      valueDay: TODAY,
      amount: -1250,
      counterparty: { name: 'Fietsen Roeland', iban: 'DE89370400440532013000' },
      remittance: 'Invoice 1',
      endToEndId: 'E2E-1',
      bankTransactionCode: 'PMNT-ICDT-ESCT',
    });
    expect(countBooked(books, 'acc-1', period, NOON + 3 * HOUR)).toBe(3);
  });

  it('name the debtor on the account of a creditor of this bank', () => {
    const books = booksWith(NOON, { at: NOON, creditor: 'acc-3' });
    const [entry] = pageOfBooked(
      books,
      'acc-3',
      { from: TODAY, to: TODAY },
      { now: NOON, offset: 0, limit: 1 },
    );
    expect(entry).toMatchObject({
      id: 'p-0-credit',
      amount: 1250,
      counterparty: { name: 'Anna Peeters', iban: ACCOUNT.iban },
      bankTransactionCode: 'PMNT-RCDT-BOOK',
    });
  });

  it.each([
    ['2026-03-02T22:59Z', '2026-03-02'],
    ['2026-03-02T23:30Z', '2026-03-03'],
    ['2026-03-29T21:59Z', '2026-03-29'],
    ['2026-03-29T22:30Z', '2026-03-30'],
    ['2026-12-31T23:30Z', '2027-01-01'],
  ])('and the balances are at %s of the day that it is in Brussels, %s', (time, date) => {
    const [at, day] = [Date.parse(time), dayOf(Date.parse(date))];
    const books = booksWith(at, { at, creditor: 'acc-3' });
    const page = { now: at, offset: 0, limit: 10 };
    const [entry, ...others] = pageOfBooked(books, 'acc-1', { from: day, to: day }, page);
    expect([entry?.id, entry?.bookingDay, others.length]).toEqual(['p-0-debit', day, 1]);
    expect(countBooked(books, 'acc-1', { from: day - 1, to: day - 1 }, at)).toBe(1);
    const before = balancesAt(books, ACCOUNT, at).find(({ type }) => type === 'openingBooked');
    expect(before).toEqual({ type: 'openingBooked', amount: day * 100, day });
  });

  it('are the same in pages of any size as in one', () => {
    const days = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        fc.array(days, { maxLength: 12 }),
        fc.record({ from: days, to: days, now: days, size: fc.integer({ min: 1, max: 5 }) }),
        (paid, { from, to, now: lookedAt, size }) => {
          const now = NOON + lookedAt * DAY;
          const books = booksWith(
            NOON + 6 * DAY,
            ...paid.map((day) => ({ at: NOON + day * DAY, creditor: 'acc-3', amount: 1 })),
          );
          const period = { from: TODAY + Math.min(from, to), to: TODAY + Math.max(from, to) };
          const page = (offset: number, limit: number) =>
            pageOfBooked(books, 'acc-1', period, { now, offset, limit });
          const all = page(0, 1000);
          expect(all).toHaveLength(countBooked(books, 'acc-1', period, now));
          const until = Math.min(period.to, TODAY + lookedAt);
          expect(all).toHaveLength(
            Math.max(0, until - period.from + 1) +
              // By a clock that was set back, what was booked later was booked today.
              paid.filter((day) => {
                const bookedOn = TODAY + Math.min(day, lookedAt);
                return bookedOn >= period.from && bookedOn <= until;
              }).length,
          );
          expect(all.map(({ bookingDay }) => bookingDay)).toEqual(
            all.map(({ bookingDay }) => bookingDay).sort((a, b) => b - a),
          );
          const paged = Array.from({ length: Math.ceil(all.length / size) }, (_, nth) =>
            page(nth * size, size),
          );
          expect(paged.flat()).toEqual(all);
          expect(page(all.length, size)).toEqual([]);
        },
      ),
    );
  });
});

describe('what is pending on an account', () => {
  it('is each payment from its authorisation until it is booked, one for a later date from that day on', () => {
    const body = { requestedExecutionDate: '2026-03-07' };
    const books = booksWith(NOON, { at: NOON }, { at: NOON, amount: 100, body });
    const at = (now: number) => pendingEntries(books, ACCOUNT, now).map(({ amount }) => amount);
    expect(at(NOON)).toEqual([-1250]);
    expect(availableBalance(books, ACCOUNT, NOON)).toBe(HELD - 1250);
    expect(at(Date.parse('2026-03-07'))).toEqual([-100, -1250]);
    applyBankChanges(books.state, settleDue(books, NOON + 3 * HOUR));
    expect(at(NOON + 3 * HOUR)).toEqual([]);
    // Where the clock was set back, what was booked stays so.
    expect(at(NOON + HOUR)).toEqual([]);
    expect(bookedBalance(books, 'acc-1', NOON + HOUR)).toBe(HELD - 1250);
    expect(bookedBalance(books, 'acc-1', NOON + 3 * HOUR)).toBe(HELD - 1250);
  });
});

describe('the balances of an account', () => {
  it('tell what is booked, what will be, and what can be spent with the overdraft', () => {
    const books = booksWith(NOON, { at: NOON, creditor: 'acc-3', amount: 50 }, { at: NOON });
    const account = { ...ACCOUNT, overdraft: 1000 };
    const balances = balancesAt(books, account, NOON);
    expect(Object.fromEntries(balances.map(({ type, amount }) => [type, amount]))).toEqual({
      closingBooked: HELD - 100,
      openingBooked: HELD - 100,
      interimBooked: HELD - 50,
      expected: HELD - 50 - 1250,
      interimAvailable: HELD - 50 - 1250 + 1000,
      forwardAvailable: HELD - 50 - 1250 + 1000,
    });
  });
});
