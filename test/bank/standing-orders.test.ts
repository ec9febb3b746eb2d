import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  authorisePayment,
  type BankPayment,
  bookedBalance,
  cancelPayment,
  endSca,
  partId,
  paymentChange,
  paymentStatusAt,
  pendingEntries,
  roomFor,
  type StandingOrder,
  settleDue,
  standingOrderAfter,
  standingOrderFrom,
} from '../../src/bank/index.js';
import { dateOf, dayOf } from '../../src/spec/index.js';
import {
  ACCOUNTS,
  anAuthorisation,
  aPayment,
  booksOf,
  DAY,
  HOUR,
  NOON,
  type OwnBooks,
  TPP,
} from './a-bank.js';

const day = (date: string) => dayOf(Date.parse(date));

type Given = Partial<Omit<StandingOrder, 'start' | 'end' | 'nth' | 'day'>> & {
  readonly start: string;
  readonly end?: string;
};
function termsOf({ start, end, ...given }: Given) {
  const date = Number(start.slice(8));
  return {
    frequency: 'Monthly' as const,
    rule: 'following' as const,
    dayOfMonth: date,
    ...given,
    start: day(start),
    end: end === undefined ? null : day(end),
  };
}

/** The first so many days, of those from a day on. */
function daysOf(given: Given, count: number, today = given.start): string[] {
  const days: string[] = [];
  let next = standingOrderFrom(termsOf(given), day(today));
  for (; next !== undefined && days.length < count; next = standingOrderAfter(next))
    days.push(dateOf(next.day));
  return days;
}

describe('the days of a standing order', () => {
  it.each<[string, Given, string[]]>([
    [
      'each bank day',
      { start: '2026-03-06', frequency: 'Daily' },
      ['2026-03-06', '2026-03-09', '2026-03-10'],
    ],
    [
      'each bank day, also by the one before',
      { start: '2026-03-05', frequency: 'Daily', rule: 'preceding' },
      ['2026-03-05', '2026-03-06', '2026-03-09'],
    ],
    ['weeks', { start: '2026-03-31', frequency: 'Weekly' }, ['2026-03-31', '2026-04-07', '2026-04-14']],
    [
      'two weeks',
      { start: '2026-03-02', frequency: 'EveryTwoWeeks' },
      ['2026-03-02', '2026-03-16', '2026-03-30'],
    ],
    [
      'a weekday that is Good Friday moves on past Easter',
      { start: '2026-03-27', frequency: 'Weekly' },
      ['2026-03-27', '2026-04-07', '2026-04-10'],
    ],
    [
      'a weekday that is Good Friday moves back',
      { start: '2026-03-27', frequency: 'Weekly', rule: 'preceding' },
      ['2026-03-27', '2026-04-02', '2026-04-10'],
    ],
    ['the end of each month', { start: '2026-01-31' }, ['2026-02-02', '2026-03-02', '2026-03-31']],
    [
      'the last bank day of each month',
      { start: '2026-01-30', dayOfMonth: 31, rule: 'preceding' },
      ['2026-01-30', '2026-02-27', '2026-03-31'],
    ],
    [
      'a day of the month that has passed by the start',
      { start: '2026-03-10', dayOfMonth: 5 },
      ['2026-04-07', '2026-05-05', '2026-06-05'],
    ],
    [
      'two months',
      { start: '2026-03-02', frequency: 'EveryTwoMonths' },
      ['2026-03-02', '2026-05-04', '2026-07-02'],
    ],
    ['quarters', { start: '2026-11-30', frequency: 'Quarterly' }, ['2026-11-30', '2027-03-01', '2027-05-31']],
    [
      'half years',
      { start: '2026-03-02', frequency: 'SemiAnnual' },
      ['2026-03-02', '2026-09-02', '2027-03-02'],
    ],
    [
      'four months, by its code',
      { start: '2026-03-02', frequency: 'FOMN' },
      ['2026-03-02', '2026-07-02', '2026-11-02'],
    ],
    [
      'two weeks, by its code',
      { start: '2026-03-02', frequency: 'TOWK' },
      ['2026-03-02', '2026-03-16', '2026-03-30'],
    ],
    ['years', { start: '2028-02-29', frequency: 'Annual' }, ['2028-02-29', '2029-02-28', '2030-02-28']],
    [
      'chosen months',
      { start: '2026-05-04', frequency: 'MonthlyVariable', months: [12, 3, 5] },
      ['2026-05-04', '2026-12-04', '2027-03-04'],
    ],
    ['until its end', { start: '2026-03-02', end: '2026-05-02' }, ['2026-03-02', '2026-04-02', '2026-05-04']],
    ['none', { start: '2026-03-03', end: '2026-03-04', dayOfMonth: 5 }, []],
  ])('are those of %s', (_, given, days) => {
    expect(daysOf(given, 3)).toEqual(days);
  });

  it('begin with the first that is still to come', () => {
    expect(daysOf({ start: '2026-03-02' }, 2, '2026-03-03')).toEqual(['2026-04-02', '2026-05-04']);
  });

  it('are at most 500, however it goes on', () => {
    const order = standingOrderFrom({ ...termsOf({ start: '2026-03-02' }), done: 499 }, day('2026-03-02'));
    expect(standingOrderAfter({ ...(order as StandingOrder), done: 500 })).toBeUndefined();
  });
});

/** 12.50 a month from 2 March 2026 on, or as given. */
function aStandingOrder(
  given: Given = { start: '2026-03-02' },
  more: Partial<BankPayment> = {},
): BankPayment {
  const standing = standingOrderFrom(termsOf(given), day(given.start)) as StandingOrder;
  return aPayment({ id: 'order', standing, ...more });
}

function booksWith(order: BankPayment, now = NOON): OwnBooks {
  const books = booksOf();
  const changes = authorisePayment(order, 'psu-1', now);
  if (typeof changes === 'string') throw new Error(changes);
  applyBankChanges(books.state, changes);
  return books;
}

const settle = (books: OwnBooks, now: number) => applyBankChanges(books.state, settleDue(books, now));
const orderIn = ({ state }: OwnBooks) => state.bankPayments.get('order') as BankPayment;
const made = ({ state }: OwnBooks): BankPayment[] =>
  [...state.bankPayments.values()]
    .filter(({ order }) => order === 'order')
    .sort((a, b) => (a.id < b.id ? -1 : 1));

describe('a standing order', () => {
  it('books each payment at the cut-off of its day, and says so by its status', () => {
    const books = booksWith(aStandingOrder());
    expect(paymentStatusAt(orderIn(books), NOON)).toBe('ACTC');
    settle(books, NOON + 3 * HOUR - 1);
    expect(made(books)).toEqual([]);
    settle(books, NOON + 3 * HOUR);
    expect(made(books)).toMatchObject([
      { id: partId('order', 0), execution: { at: NOON + 3 * HOUR, outcome: 'booked', debited: 1250 } },
    ]);
    expect(paymentStatusAt(orderIn(books), NOON + 3 * HOUR)).toBe('ACSP');
    expect(paymentStatusAt(orderIn(books), NOON + 10 * DAY)).toBe('ACSP');
    settle(books, NOON + 31 * DAY);
    expect(made(books).map(({ execution }) => new Date(execution?.at ?? 0).toISOString())).toEqual([
      '2026-03-02T15:00:00.000Z',
      '2026-04-02T08:00:00.000Z',
    ]);
  });

  it.each<[string, Partial<BankPayment>]>([
    ['another bank', {}],
    ['this bank', { creditor: 'acc-3' }],
  ])('comes to the same to %s, whether somebody looks each hour or once in a year', (_, more) => {
    const given: Given = { start: '2026-03-02', frequency: 'Daily' };
    const [often, once] = [booksWith(aStandingOrder(given, more)), booksWith(aStandingOrder(given, more))];
    // What it takes from time to time, and money that is not always there.
    for (const { state } of [often, once])
      for (const nth of [1, 2, 3]) {
        const body = { requestedExecutionDate: `2026-0${2 + 2 * nth}-10` };
        const other = aPayment({ id: `payment-${nth}`, amount: 300_000 * nth, body, creditor: 'acc-joint' });
        applyBankChanges(state, authorisePayment(other, 'psu-1', NOON) as never);
      }
    const end = NOON + 365 * DAY;
    for (let now = NOON; now <= end; now += 6 * HOUR) settle(often, now);
    settle(once, end);
    expect(made(once).length).toBe(257);
    expect(made(once)).toEqual(made(often));
    expect(orderIn(once)).toEqual(orderIn(often));
    expect(bookedBalance(once, 'acc-1', end)).toBe(bookedBalance(often, 'acc-1', end));
    expect(new Set(made(once).map(({ execution }) => execution?.outcome))).toEqual(
      new Set(['booked', 'rejected']),
    );
  });

  it('goes on where a payment is not covered, and ends with its last one', () => {
    const books = booksWith(
      aStandingOrder({ start: '2026-03-02', end: '2026-04-02' }, { amount: 2_054_500 }),
    );
    settle(books, NOON + 40 * DAY);
    expect(made(books).map(({ execution }) => execution?.outcome)).toEqual(['rejected', 'booked']);
    expect(paymentStatusAt(orderIn(books), NOON + 40 * DAY)).toBe('ACSC');
    expect(books.state.payments.undecided).toBe(0);
  });

  it('ends as rejected where an account is closed', () => {
    const books = booksWith(aStandingOrder({ start: '2026-03-02' }, { creditor: 'acc-closed' }));
    settle(books, NOON + 400 * DAY);
    expect(made(books)).toHaveLength(1);
    expect(orderIn(books).execution).toMatchObject({ outcome: 'rejected', reason: 'AC07' });
  });

  it('makes no payment more once it is cancelled', () => {
    const books = booksWith(aStandingOrder());
    settle(books, NOON + DAY);
    applyBankChanges(books.state, cancelPayment(orderIn(books), NOON + DAY) as never);
    settle(books, NOON + 400 * DAY);
    expect(made(books)).toHaveLength(1);
    expect(paymentStatusAt(orderIn(books), NOON + 400 * DAY)).toBe('CANC');
  });

  it('stands as pending from the beginning of the day of its next payment, not before', () => {
    const books = booksWith(aStandingOrder({ start: '2026-03-09' }));
    const account = ACCOUNTS[0] as never;
    expect(pendingEntries(books, account, NOON)).toEqual([]);
    expect(pendingEntries(books, account, Date.parse('2026-03-09T08:00:00Z'))).toMatchObject([
      { id: `${partId('order', 0)}-debit`, amount: -1250, valueDay: day('2026-03-09') },
    ]);
  });

  it('is rejected where its account has 20 of them already', () => {
    const books = booksOf();
    const agree = (id: string) => {
      applyBankChanges(books.state, [paymentChange(aStandingOrder({ start: '2026-03-09' }, { id }))]);
      const authorisation = anAuthorisation({ of: 'payment', resource: id });
      const { changes, ...ended } = endSca(books, { authorisation, psu: 'psu-1', outcome: 'SCA_OK' }, NOON);
      applyBankChanges(books.state, changes);
      return ended;
    };
    for (let nth = 0; nth < 20; nth++) expect(agree(`order-${nth}`).outcome).toBe('SCA_OK');
    expect(agree('order')).toEqual({
      outcome: 'SCA_REQUEST_REJECTED',
      reason: expect.stringContaining('20'),
    });
    expect(paymentStatusAt(orderIn(books), NOON)).toBe('RJCT');
  });

  it('makes room once it has ended, and what it paid stays', () => {
    const books = booksWith(aStandingOrder({ start: '2026-03-02', end: '2026-03-03' }));
    settle(books, NOON + DAY);
    const more = [paymentChange(aPayment({ id: 'more' }))];
    const bounds = { ofTpp: books.state.holdings.bytesOf(TPP) + 500, ofAll: 1_000_000 };
    const leaving = roomFor(books.state, TPP, more, NOON + DAY, bounds) ?? [];
    expect(leaving).toContainEqual({ family: 'bankPayments', key: 'order', fact: null });
    applyBankChanges(books.state, leaving);
    expect(books.state.payments.bookedOn('acc-1')).toHaveLength(1);
  });

  it('cannot be authorised any more once its last payment would have been due', () => {
    const order = aStandingOrder({ start: '2026-03-02', end: '2026-03-03' }, { createdAt: NOON });
    expect(authorisePayment(order, 'psu-1', NOON + 5 * DAY)).toEqual(expect.any(String));
  });
});

const part = (amount: number, creditor: string | null = null) => ({
  body: { ...aPayment().body, creditorName: `Payee of ${amount}` },
  amount,
  creditor,
});

describe('a bulk payment', () => {
  it.each([
    ['ACSC', [part(100), part(200)], 300],
    ['PART', [part(100), part(9_000_000), part(200, 'acc-closed')], 100],
    ['RJCT', [part(9_000_000), part(200, 'acc-closed')], 0],
  ])('becomes %s by what becomes of its payments', (status, parts, debited) => {
    const books = booksWith(aPayment({ id: 'order', body: {}, parts }));
    settle(books, NOON + DAY);
    expect(paymentStatusAt(orderIn(books), NOON + DAY)).toBe(status);
    const sum = made(books).reduce((all, { execution }) => all + (execution?.debited ?? 0), 0);
    expect(sum).toBe(debited);
    expect(made(books)).toHaveLength(parts.length);
    expect(books.state.payments.bookedOn('acc-1').map(({ amount }) => amount)).toEqual(
      made(books).flatMap(({ amount, execution }) => (execution?.outcome === 'booked' ? [-amount] : [])),
    );
    expect(books.state.payments.undecided).toBe(0);
  });

  it('is rejected at once where its PSU does not authorise it', () => {
    const order = aPayment({ id: 'order', body: {}, parts: [part(1)], createdAt: NOON });
    const books = booksOf();
    applyBankChanges(books.state, [paymentChange(order)]);
    settle(books, NOON + DAY);
    expect(paymentStatusAt(order, NOON + DAY)).toBe('RJCT');
    expect(made(books)).toEqual([]);
  });
});
