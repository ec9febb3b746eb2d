/** A population that was listed answers as a plain search through the lists would. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListedPopulation, createPopulation, type Posting } from '../../../src/bank/index.js';

const { psus, accountsOf } = createPopulation({ seed: 1, count: 3 });
const people = psus(0, 3);
const accounts = [
  ...new Map(people.flatMap(({ id }) => accountsOf(id)).map((one) => [one.resourceId, one])).values(),
];

const day = fc.integer({ min: 0, max: 30 });
const listed = fc
  .array(
    fc.record({
      account: fc.constantFrom(...accounts.map(({ resourceId }) => resourceId)),
      bookingDay: day,
      amount: fc.integer({ min: -500, max: 500 }),
    }),
    { maxLength: 60 },
  )
  .map((some) =>
    some.map(
      (one, i): Posting => ({
        ...{ ...one, id: `p${i}`, valueDay: one.bookingDay, counterparty: null },
        ...{ remittance: 'x', bankTransactionCode: 'PMNT-RCDT-ESCT' },
      }),
    ),
  );

describe('a listed population', () => {
  it('books by day, adds up and pages as a plain search would', () => {
    const asked = fc.tuple(day, day, fc.nat(10), fc.nat(10));
    fc.assert(
      fc.property(listed, asked, (postings, [from, to, offset, limit]) => {
        const population = createListedPopulation({ psus: people, accounts, postings });
        for (const { resourceId } of accounts) {
          const own = postings.filter(({ account }) => account === resourceId);
          const inOrder = [...own].sort((a, b) => a.bookingDay - b.bookingDay);
          const within = inOrder.filter(({ bookingDay }) => bookingDay >= from && bookingDay <= to);
          const until = own.filter(({ bookingDay }) => bookingDay <= to);
          expect(population.balance(resourceId, to)).toBe(until.reduce((sum, { amount }) => sum + amount, 0));
          expect(population.postings(resourceId, to)).toEqual(
            inOrder.filter(({ bookingDay }) => bookingDay === to),
          );
          expect(population.countPostings(resourceId, from, to)).toBe(within.length);
          expect(population.postingsPage(resourceId, from, to, offset, limit)).toEqual(
            within.reverse().slice(offset, offset + limit),
          );
        }
      }),
    );
  });

  it('finds people and accounts by their names, and nobody else', () => {
    const population = createListedPopulation({ psus: people, accounts, postings: [] });
    for (const psu of people) {
      expect(population.psu(psu.id)).toBe(psu);
      expect(population.psuByLogin(psu.login)).toBe(psu);
      expect(population.accountsOf(psu.id)).toEqual(accountsOf(psu.id));
    }
    for (const account of accounts) {
      expect(population.account(account.resourceId)).toBe(account);
      expect(population.accountByIban(account.iban)).toBe(account);
      expect(population.balance(account.resourceId, 99)).toBe(0);
    }
    expect(population.psus(1, 1)).toEqual([people[1]]);
    expect([population.psu('x'), population.psuByLogin('x'), population.account('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(population.balance('x', 99)).toBe(0);
    expect(population.postingsPage('x', 0, 99, 0, 10)).toEqual([]);
  });
});
