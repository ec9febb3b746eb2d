/** The living bank with habits, without wires: lives of payments, of which no rule blames anybody. */
import { describe, expect, it } from 'vitest';
import {
  CALM,
  createHabitualPopulation,
  type HabitGroup,
  type Habits,
  pageOfBooked,
  pendingEntries,
} from '../../../src/bank/index.js';
import { bankDayAt, PAYMENT_STATUSES, SPECIFIED_PAYMENT_STATUSES } from '../../../src/spec/index.js';
import { ACCOUNTS, DAY, HOUR, MINUTE, POPULATION } from '../../bank/a-bank.js';
import { jsonOf } from '../an-emulator.js';
import { aLivingBank, type LivingBankUnderTest } from './a-living-bank.js';

const habits = (group: HabitGroup, ...names: readonly string[]): Habits => ({
  ...CALM,
  [group]: { ...CALM[group], ...Object.fromEntries(names.map((name) => [name, 1])) },
});
/** acc-joint is that of a business, with two owners. */
const BUSINESS = {
  ...POPULATION,
  account: (id: string) => {
    const found = POPULATION.account(id);
    return found?.resourceId === 'acc-joint' ? { ...found, usage: 'ORGA' as const } : found;
  },
  accountByIban: (iban: string) => {
    const found = POPULATION.accountByIban(iban);
    return found?.resourceId === 'acc-joint' ? { ...found, usage: 'ORGA' as const } : found;
  },
};
const living = (of: Habits, population = POPULATION) =>
  aLivingBank({ population: createHabitualPopulation(population, of, 7) });

const BODY = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  debtorAccount: { iban: 'BE68539007547034' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
};

function pay(bank: LivingBankUnderTest, body: object = {}, headers: Record<string, string> = {}) {
  const answer = bank.ask({
    operation: 'payments.create',
    headers: { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb', ...headers },
    body: { ...BODY, ...body },
  });
  const { paymentId, _links, transactionStatus } = jsonOf(answer);
  const on = (
    operation: 'payments.read' | 'payments.status' | 'payments.cancel' | 'payments.authorisations.create',
  ) =>
    bank.ask({
      operation,
      params: { paymentId },
      ...(operation === 'payments.authorisations.create'
        ? { headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb' } }
        : {}),
    });
  return {
    answer,
    links: Object.keys(_links),
    id: paymentId as string,
    authorisation: (_links.scaStatus?.href.split('/').at(-1) ?? '') as string,
    created: transactionStatus as string,
    on,
    status: () => jsonOf(on('payments.status')).transactionStatus as string,
  };
}

/** The statuses that a TPP sees which reads every quarter of an hour until nothing moves any more. */
function lifeOf(bank: LivingBankUnderTest, { created, status }: ReturnType<typeof pay>): string[] {
  const seen = [created];
  for (let i = 0; i < 4 * 24 * 9; i++) {
    const now = status();
    if (now !== seen.at(-1)) seen.push(now);
    bank.now += 15 * MINUTE;
  }
  return seen;
}

const LIVES = {
  checked: ['RCVD', 'PDNG', 'ACTC', 'ACSP', 'ACSC'],
  profiled: ['RCVD', 'ACTC', 'ACCP', 'ACSP', 'ACSC'],
  changed: ['RCVD', 'ACTC', 'ACWC', 'ACSP', 'ACSC'],
  unposted: ['RCVD', 'ACTC', 'ACSP', 'ACWP', 'ACSC'],
  late: ['RCVD', 'ACTC', 'ACSP', 'ACSC'],
  returned: ['RCVD', 'ACTC', 'ACSP', 'ACSC'],
} as const;
const TO_OWN_BANK = { creditorAccount: { iban: 'BE88063999999540' } };

describe('the life of a payment', () => {
  it.each(Object.entries(LIVES))('that is %s goes %j, and blames nobody', (habit, statuses) => {
    const bank = living(habits('payments', habit));
    const payment = pay(bank);
    bank.sca(payment.authorisation, 'psu-1');
    expect(lifeOf(bank, payment)).toEqual(statuses);
    expect(bank.findings).toEqual([]);
  });

  it.each(['checked', 'profiled', 'changed', 'unposted'] as const)(
    'that is %s is the same between two accounts of the bank',
    (habit) => {
      const bank = living(habits('payments', habit));
      const payment = pay(bank, TO_OWN_BANK);
      bank.sca(payment.authorisation, 'psu-1');
      expect(lifeOf(bank, payment)).toEqual(LIVES[habit]);
    },
  );

  it('that is rejected ends in the answer to its creation, which links no SCA', () => {
    const bank = living(habits('payments', 'rejected'));
    const payment = pay(bank);
    expect(payment.answer.status).toBe(201);
    expect(jsonOf(payment.answer)).toMatchObject({
      transactionStatus: 'RJCT',
      psuMessage: expect.stringContaining('MS03'),
    });
    expect(payment.links).toEqual(['self', 'status']);
    expect(payment.status()).toBe('RJCT');
    expect(bank.findings).toEqual([]);
  });

  it('that is changed shows the bank day to which it was moved, once it tells so', () => {
    const bank = living(habits('payments', 'changed'));
    const payment = pay(bank, { requestedExecutionDate: '2026-03-05' });
    bank.sca(payment.authorisation, 'psu-1');
    const date = () => jsonOf(payment.on('payments.read')).requestedExecutionDate;
    expect(date()).toBe('2026-03-05');
    bank.now += HOUR;
    expect([payment.status(), date()]).toEqual(['ACWC', '2026-03-06']);
    bank.now = Date.parse('2026-03-05T22:00:00Z');
    expect(payment.status()).toBe('ACWC');
    bank.now = Date.parse('2026-03-06T12:00:00Z');
    expect(payment.status()).toBe('ACSC');
  });

  it('that is late is booked a day before its status says so, and cannot be cancelled in between', () => {
    const bank = living(habits('payments', 'late'));
    const payment = pay(bank);
    bank.sca(payment.authorisation, 'psu-1');
    bank.now += 3 * HOUR;
    expect(payment.status()).toBe('ACSP');
    expect(bank.books.state.payments.bookedOn('acc-1')).toHaveLength(1);
    const refused = payment.on('payments.cancel');
    expect([refused.status, jsonOf(refused).tppMessages[0].text]).toEqual([
      405,
      'The payment is executed (ACSP) and cannot be cancelled any more.',
    ]);
    bank.now += DAY;
    expect(payment.status()).toBe('ACSC');
  });

  it('that is returned comes back on the account, and stays ACSC', () => {
    const bank = living(habits('payments', 'returned'));
    const payment = pay(bank);
    bank.sca(payment.authorisation, 'psu-1');
    bank.now += 9 * DAY;
    expect(payment.status()).toBe('ACSC');
    const { now } = bank;
    const today = bankDayAt(now);
    const period = { from: today - 9, to: today };
    const booked = pageOfBooked(bank.books, 'acc-1', period, { now, offset: 0, limit: 100 });
    const own = booked.filter(({ id }) => id.startsWith(payment.id));
    expect(own.map(({ id, amount }) => [id.slice(payment.id.length), amount])).toEqual([
      ['-return', 1250],
      ['-debit', -1250],
    ]);
    expect(own[0]?.bookingDay).toBeGreaterThan(own[1]?.bookingDay ?? 0);
  });

  it('of a business account is PATC until a second owner has authorised it too', () => {
    const bank = living(habits('accounts', 'twoSignatories'), BUSINESS);
    const payment = pay(bank, { debtorAccount: { iban: 'BE43068999999501' } });
    bank.sca(payment.authorisation, 'psu-1');
    expect(payment.status()).toBe('PATC');
    const second = payment.on('payments.authorisations.create');
    expect(second.status).toBe(201);
    const { authorisationId } = jsonOf(second);
    bank.sca(authorisationId, 'psu-2');
    expect(payment.status()).toBe('ACTC');
    expect(bank.findings).toEqual([]);
  });

  it('reaches each status of the specification', () => {
    const reached = new Set(['CANC', 'PATC', 'RJCT', ...Object.values(LIVES).flat()]);
    expect(SPECIFIED_PAYMENT_STATUSES.filter((status) => !reached.has(status))).toEqual([]);
    expect(Object.keys(PAYMENT_STATUSES)).toEqual(expect.arrayContaining([...reached]));
  });

  it('is the same for the same seed and payment, of whomever it is the first', () => {
    const some: Habits = { ...CALM, payments: { ...CALM.payments, checked: 0.3, late: 0.3, rejected: 0.3 } };
    const fates = () => {
      const bank = living(some);
      return Array.from({ length: 20 }, (_, i) => {
        const payment = pay(bank, { instructedAmount: { currency: 'EUR', amount: `${i + 1}.00` } });
        bank.sca(payment.authorisation, 'psu-1');
        return payment.status();
      });
    };
    expect(new Set(fates()).size).toBeGreaterThan(2);
    expect(fates()).toEqual(fates());
  });
});

it('pending entries of accounts that nobody holds anything on are those of payments', () => {
  const bank = living(habits('postings', 'held'));
  expect(pendingEntries(bank.books, ACCOUNTS[0] as (typeof ACCOUNTS)[number], bank.now)).toEqual([]);
});
