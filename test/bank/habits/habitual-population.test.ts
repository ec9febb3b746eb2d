/** A population with habits and hand-made facts: balances are the sums of what is booked, and pages go on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  type BankAccount,
  booksAt,
  booksSeenBy,
  CALM,
  countBooked,
  createBankState,
  createHabitualPopulation,
  createPopulation,
  MARKET,
  type Posting,
  pageOfBooked,
} from '../../../src/bank/index.js';
import { bankDayAt, DAY_MS } from '../../../src/spec/index.js';
import { ANY_HABITS } from '../any-habits.js';

const BASE = createPopulation({ seed: 7, count: 20, twoSignatories: 1 });
const START = Date.parse('2026-03-01T10:00:00Z');
const IDS = Array.from({ length: 20 }, (_, i) => BASE.accountsOf(`psu-${i + 1}`))
  .flat()
  .map(({ resourceId }) => resourceId);

const hand = fc.record({
  id: fc.uuid(),
  at: fc.integer({ min: START, max: START + 60 * DAY_MS }),
  day: fc.option(fc.integer({ min: bankDayAt(START) - 30, max: bankDayAt(START) + 60 }), { freq: 4 }),
  amount: fc.integer({ min: -50_000, max: 50_000 }),
  text: fc.constant('By hand'),
});

function stateWith(facts: readonly BankAccount[]) {
  const state = createBankState();
  applyBankChanges(
    state,
    facts.map((fact) => ({ family: 'bankAccounts', key: fact.id, fact })),
  );
  return state;
}

const sum = (postings: readonly Posting[]) => postings.reduce((all, { amount }) => all + amount, 0);

describe('an account of a bank with habits', () => {
  it('has on every day the balance that its booked entries come to, each under an id of its own', () => {
    fc.assert(
      fc.property(
        ANY_HABITS,
        fc.constantFrom(...IDS),
        fc.array(hand, { maxLength: 5 }),
        fc.integer({ min: 0, max: 400 }),
        (habits, id, bookings, days) => {
          const population = createHabitualPopulation(BASE, habits, 7);
          const state = stateWith(bookings.length === 0 ? [] : [{ id, bookings }]);
          const now = START + days * DAY_MS;
          const { population: at } = booksAt({ state, population }, now);
          const today = bankDayAt(now);
          const all = at.postingsPage(id, 0, today, 0, 1_000_000);
          expect(at.countPostings(id, 0, today)).toBe(all.length);
          expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
          for (let day = today - 40; day <= today; day += 1) {
            const booked = all.filter(({ bookingDay }) => bookingDay <= day);
            expect(at.balance(id, day)).toBe(sum(booked));
          }
          const entries = all.map(({ bookingDay }) => bookingDay);
          expect(entries).toEqual(entries.toSorted((a, b) => b - a));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is paged as the first page saw it, whatever is booked below meanwhile', () => {
    fc.assert(
      fc.property(
        ANY_HABITS,
        fc.constantFrom(...IDS),
        fc.array(hand, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 50 * DAY_MS }),
        fc.integer({ min: 0, max: 5 * DAY_MS }),
        (habits, id, bookings, size, begun, later) => {
          const population = createHabitualPopulation(BASE, habits, 7);
          const [first, then] = [START + begun, START + begun + later];
          const early = bookings.filter(({ at }) => at <= first);
          const before = {
            state: stateWith(early.length === 0 ? [] : [{ id, bookings: early }]),
            population,
          };
          const known = bookings.filter(({ at }) => at <= then);
          const after = { state: stateWith(known.length === 0 ? [] : [{ id, bookings: known }]), population };
          const period = { from: bankDayAt(first) - 30, to: bankDayAt(first) };
          const seen = booksAt(before, first);
          const entries = countBooked(seen, id, period, first);
          const keys = (postings: readonly Posting[]) =>
            postings.map(({ bookingDay, amount, remittance }) => [bookingDay, amount, remittance]);
          const whole = pageOfBooked(seen, id, period, { now: first, offset: 0, limit: 1_000 });
          const again = booksSeenBy(booksAt(after, then), id, period, entries, then);
          const all = countBooked(again, id, period, then);
          const pages: Posting[] = [];
          for (let offset = 0; offset < entries; offset += size)
            pages.push(
              ...pageOfBooked(again, id, period, {
                now: then,
                offset: all - entries + offset,
                limit: Math.min(size, entries - offset),
              }),
            );
          expect(keys(pages)).toEqual(keys(whole));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is the same for the same seed, and another for another', () => {
    const told = (seed: number) => {
      const { population } = booksAt(
        { state: createBankState(), population: createHabitualPopulation(BASE, MARKET, seed) },
        START,
      );
      return JSON.stringify(
        IDS.map((id) => [
          population.account(id),
          population.postingsPage(id, 20_000, bankDayAt(START), 0, 500),
        ]),
      );
    };
    expect(told(1)).toBe(told(1));
    expect(told(1)).not.toBe(told(2));
  });

  it('needs two PSUs where it is a business’s that two own, if the bank has such accounts, and no other', () => {
    const signedByTwo = (twoSignatories: number) => {
      const habits = { ...CALM, accounts: { ...CALM.accounts, twoSignatories } };
      const population = createHabitualPopulation(BASE, habits, 7);
      const { population: at } = booksAt({ state: createBankState(), population }, START);
      return IDS.filter((id) => at.account(id)?.signatories === 2);
    };
    const owned = IDS.map((id) => BASE.account(id)).filter((one) => one !== undefined);
    const shared = owned.filter(({ usage, owners }) => usage === 'ORGA' && owners.length > 1);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length).toBeLessThan(owned.length);
    expect(signedByTwo(1)).toEqual(shared.map(({ resourceId }) => resourceId));
    expect(signedByTwo(0)).toEqual([]);
  });

  it('varies in a calm bank once somebody touched it', () => {
    const [touched = '', other = ''] = IDS;
    const population = createHabitualPopulation(BASE, CALM, 7);
    const state = stateWith([{ id: touched, bookings: [] }]);
    const { population: at } = booksAt({ state, population }, START);
    expect([at.varies?.(touched), at.varies?.(other)]).toEqual([true, false]);
  });

  it('is that of the population itself in a calm bank that nobody touched', () => {
    const population = createHabitualPopulation(BASE, CALM, 7);
    const { population: at } = booksAt({ state: createBankState(), population }, START);
    for (const id of IDS) {
      expect(at.account(id)).toEqual(BASE.account(id));
      expect(at.postingsPage(id, 0, bankDayAt(START), 3, 50)).toEqual(
        BASE.postingsPage(id, 0, bankDayAt(START), 3, 50),
      );
    }
  });
});
