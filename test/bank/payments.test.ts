import { describe, expect, it } from 'vitest';
import {
  authorisePayment,
  type BankPayment,
  cancelPayment,
  isPaymentOf,
  paymentStatusAt,
  rejectionOf,
  rejectPayment,
} from '../../src/bank/index.js';
import { aPayment, booksOf, DAY, HOUR, MINUTE, NOON } from './a-bank.js';

/** Of the only payment among the changes. */
function factOf(changes: ReturnType<typeof authorisePayment>): BankPayment {
  if (typeof changes === 'string') throw new Error(changes);
  const [change] = changes;
  if (change?.family !== 'bankPayments' || change.fact === null) throw new Error('no payment');
  return change.fact;
}
const authorised = (given: Partial<BankPayment> = {}, now = NOON) =>
  factOf(authorisePayment(aPayment({ createdAt: now, ...given }), 'psu-1', now));
const dueOf = (given: Partial<BankPayment>, now: string) =>
  new Date(authorised(given, Date.parse(now)).dueAt ?? 0).toISOString().slice(0, 16);
const requested = (date: string): Partial<BankPayment> => ({ body: { requestedExecutionDate: date } });

describe('the status of a payment', () => {
  it('is RCVD until the SCA, and PATC where the TPP starts that itself', () => {
    expect(paymentStatusAt(aPayment(), NOON)).toBe('RCVD');
    expect(paymentStatusAt(aPayment({ explicit: true }), NOON)).toBe('PATC');
  });

  it('is ACTC after the SCA, ACSP for the hour before the cut-off, and ACSC or RJCT as it was decided', () => {
    const payment = authorised();
    const due = payment.dueAt ?? 0;
    expect(due - NOON).toBe(3 * HOUR);
    expect(paymentStatusAt(payment, NOON)).toBe('ACTC');
    expect(paymentStatusAt(payment, due - HOUR - 1)).toBe('ACTC');
    expect(paymentStatusAt(payment, due - HOUR)).toBe('ACSP');
    const execution = { at: due, outcome: 'booked', reason: null, debited: 1250, credited: 0 } as const;
    expect(paymentStatusAt({ ...payment, execution }, due)).toBe('ACSC');
    expect(paymentStatusAt({ ...payment, execution: { ...execution, outcome: 'rejected' } }, due)).toBe(
      'RJCT',
    );
  });

  it('is ACTC by a clock that is a second behind the SCA too', () => {
    expect(paymentStatusAt(authorised(), NOON - 1_000)).toBe('ACTC');
  });

  it('stays what was done where the clock was set back', () => {
    expect(paymentStatusAt(authorised(), NOON - HOUR)).toBe('ACTC');
    const payment = factOf(cancelPayment(authorised(), NOON + MINUTE));
    expect(paymentStatusAt(payment, NOON - HOUR)).toBe('CANC');
    expect(cancelPayment(payment, NOON)).toMatch(/cannot be cancelled/);
  });

  it.each([true, false])(
    'is RJCT a day after its creation, where nobody authorised it (explicit: %s)',
    (explicit) => {
      const payment = aPayment({ explicit });
      expect(paymentStatusAt(payment, NOON + DAY - 1)).toBe(explicit ? 'PATC' : 'RCVD');
      expect(paymentStatusAt(payment, NOON + DAY)).toBe('RJCT');
      expect(rejectionOf(payment, NOON + DAY)).toBe('MS02');
      expect(authorisePayment(payment, 'psu-1', NOON + DAY)).toMatch(/does not wait/);
      expect(paymentStatusAt(payment, NOON)).toBe(explicit ? 'PATC' : 'RCVD');
    },
  );

  it('never changes once it is final', () => {
    const rejected = factOf(rejectPayment(aPayment(), 'MS02', NOON));
    expect(paymentStatusAt(rejected, NOON)).toBe('RJCT');
    expect(authorisePayment(rejected, 'psu-1', NOON)).toMatch(/does not wait/);
    expect(cancelPayment(rejected, NOON)).toMatch(/cannot be cancelled/);
    expect(rejectPayment(rejected, 'MS03', NOON)).toEqual([]);
  });
});

describe('the time of execution', () => {
  it('is at once within the bank, or the beginning of the day that was asked for', () => {
    expect(dueOf({ creditor: 'acc-3' }, '2026-03-07T20:00Z')).toBe('2026-03-07T20:00');
    expect(dueOf({ creditor: 'acc-3', ...requested('2026-03-09') }, '2026-03-07T20:00Z')).toBe(
      '2026-03-08T23:00',
    );
  });

  it.each([
    ['the next cut-off that is an hour away', {}, '2026-03-02T08:00Z', '2026-03-02T09:00'],
    ['the one after it', {}, '2026-03-02T08:01Z', '2026-03-02T12:00'],
    ['the first of Monday, on a Friday evening', {}, '2026-03-06T18:00Z', '2026-03-09T09:00'],
    ['the first after Easter', {}, '2026-04-02T18:00Z', '2026-04-07T08:00'],
    ['the first after clocks went forward', {}, '2026-03-27T18:00Z', '2026-03-30T08:00'],
    ['the first after clocks went back', {}, '2026-10-23T18:00Z', '2026-10-26T09:00'],
    [
      'that of Tuesday, at 23:30 in UTC of Sunday',
      requested('2026-03-03'),
      '2026-03-01T23:30Z',
      '2026-03-03T09:00',
    ],
    ['one, across borders', { product: 'cross-border-payments' }, '2026-03-02T08:00Z', '2026-03-02T12:00'],
    ['the first of the day asked for', requested('2026-03-05'), '2026-03-02T08:00Z', '2026-03-05T09:00'],
    [
      'the first after the weekend asked for',
      requested('2026-03-07'),
      '2026-03-02T08:00Z',
      '2026-03-09T09:00',
    ],
    [
      'the next one, where the day asked for went by',
      requested('2026-03-02'),
      '2026-03-04T08:00Z',
      '2026-03-04T09:00',
    ],
  ] as const)('is %s', (_, given, now, due) => {
    expect(dueOf(given, now)).toBe(due);
  });
});

describe('who may authorise a payment', () => {
  it('is an owner of the debtor account, alone or with others', () => {
    const books = booksOf();
    expect(isPaymentOf(books, aPayment(), 'psu-1')).toBe(true);
    expect(isPaymentOf(books, aPayment(), 'psu-2')).toBe(false);
    expect(isPaymentOf(books, aPayment({ debtor: 'acc-joint' }), 'psu-2')).toBe(true);
    expect(isPaymentOf(books, aPayment({ debtor: null }), 'psu-1')).toBe(false);
  });
});
