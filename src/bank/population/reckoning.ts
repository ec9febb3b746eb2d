/** The sums that a period of an account has to come to: its income, its transfers, and what is left at its end. */
import { createRecentCache } from '../../exchange/index.js';
import { nextBankDay } from '../bank-days.js';
import { FOR, numberFrom, type Range, within } from './draw.js';
import type { Place } from './identity.js';
import { dayAfterPayday, firstDayOf, indexOf, monthOf, PAYDAYS } from './periods.js';
import { type AccountRow, PERSONAS, TRANSFERS, type Transfer } from './personas.js';
import { PLANS, type Plan } from './plans.js';

export interface Transferred {
  readonly day: number;
  readonly from: Place;
  readonly to: Place;
  readonly amount: number;
  readonly text: string;
}

export interface Reckoning {
  /** In minor units, as all here. */
  readonly incomeOf: (place: Place, period: number) => number;
  /** What is on the account at the end of a period; that of period -1 is brought forward to the first. */
  readonly leftOf: (place: Place, period: number) => number;
  readonly transfersOf: (place: Place, period: number) => readonly Transferred[];
  /** What the bank pays at the beginning of a year for the one before. */
  readonly interestOf: (place: Place, period: number) => number;
  /** The day of the month on which the household is paid. */
  readonly paydayOf: (place: Place) => number;
}

/** Sums at the ends of periods that are remembered, of all accounts together. */
const REMEMBERED = 100_000;
/** The booking of a year's interest: in the period that begins in December. */
const INTEREST_MONTH = 12;

export const personaOf = (number: number): number => ((number - 1) % PERSONAS.length) + 1;

/** The account's row in the table of personas; undefined: they have no such account. */
export function rowOf({ number, slot }: Place): AccountRow | undefined {
  return PERSONAS[personaOf(number) - 1]?.[slot - 1];
}

export function planOf(place: Place): Plan {
  return PLANS[rowOf(place)?.plan ?? 'nothing'];
}

export function isDue(months: readonly number[] | undefined, period: number, on: number): boolean {
  return months === undefined || months.includes(monthOf(on === 0 ? period : period + 1));
}

/** The bank day of a day after payday; 0: payday itself. */
export const bankDayOf = (on: number, period: number, payday: number): number =>
  on === 0 ? firstDayOf(period, payday) : nextBankDay(dayAfterPayday(period, on));

export const partOf = (sum: number, thousandths: number): number => Math.floor((sum * thousandths) / 1000);

/** Standing orders are of round sums. */
const TRANSFER_STEP = 500;
export const stepped = (amount: number, step: number): number => amount - (amount % step);

export function createReckoning(seed: number): Reckoning {
  const remembered = createRecentCache<number, readonly number[]>(REMEMBERED, ({ length }) => length);
  const drawn = (purpose: number, { number, slot }: Place, range: Range, ...more: readonly number[]) =>
    within(range, numberFrom(seed, purpose, number, slot, ...more));

  const incomeOf = (place: Place, period: number): number => {
    const { income } = planOf(place);
    if (income !== undefined) return Math.floor((drawn(FOR.scale, place, income) * indexOf(period)) / 100);
    const measuredBy = rowOf(place)?.measuredBy;
    if (measuredBy !== undefined) return incomeOf({ ...place, slot: measuredBy }, period);
    return transfersOf(place, period).reduce(
      (sum, { to, amount }) => (isSame(to, place) ? sum + amount : sum),
      0,
    );
  };

  const amountOf = (row: Transfer, index: number, from: Place, to: Place, period: number): number => {
    if (row.part === undefined) return -leftOf(to, period - 1);
    const income = incomeOf(row.of === 'to' ? to : from, period);
    return stepped(partOf(income, drawn(FOR.transfer, from, row.part, index)), TRANSFER_STEP);
  };

  const transfersOf = (place: Place, period: number): readonly Transferred[] => {
    const payday = paydayOf(place);
    return (TRANSFERS_OF.get(keyOf(personaOf(place.number), place.slot)) ?? [])
      .filter((index) => isDue(TRANSFERS[index]?.months, period, TRANSFERS[index]?.on ?? 0))
      .map((index) => {
        const row = TRANSFERS[index] as Transfer;
        const first = place.number - personaOf(place.number);
        const from = { number: first + row.from.persona, slot: row.from.slot };
        const to = { number: first + row.to.persona, slot: row.to.slot };
        const amount = amountOf(row, index, from, to, period);
        return { day: bankDayOf(row.on, period, payday), from, to, amount, text: row.text };
      });
  };

  const leftOf = (place: Place, period: number): number => {
    const { left, opening = NOTHING } = planOf(place);
    if (left === undefined) return savedOf(place, period, opening);
    return partOf(incomeOf(place, Math.max(0, period)), drawn(FOR.closing, place, left, period));
  };

  /** Each end is that of the period before and what came since. */
  const savedOf = (place: Place, period: number, opening: Range): number => {
    const key = place.number * 10 + place.slot;
    const known = remembered.get(key);
    if (known !== undefined && period + 1 < known.length) return known[period + 1] ?? 0;
    const ends = known === undefined ? [drawn(FOR.opening, place, opening)] : [...known];
    for (let next = ends.length - 1; next <= period; next++) {
      const moved = transfersOf(place, next).reduce(
        (sum, { to, amount }) => sum + (isSame(to, place) ? amount : -amount),
        0,
      );
      const end = ends[next] ?? 0;
      ends.push(end + moved + interestOn(place, end, next));
    }
    remembered.set(key, ends);
    return ends[period + 1] ?? 0;
  };

  const interestOn = (place: Place, sum: number, period: number): number =>
    monthOf(period) === INTEREST_MONTH ? Math.floor((sum * (planOf(place).interest ?? 0)) / 10_000) : 0;

  /** A household is paid on one day, so that what moves within it stands in the same period of all its accounts. */
  const paydayOf = ({ number }: Place): number =>
    PAYDAYS[numberFrom(seed, FOR.payday, Math.floor((number - 1) / PERSONAS.length)) % PAYDAYS.length] ?? 25;

  return {
    ...{ incomeOf, leftOf, transfersOf, paydayOf },
    interestOf: (place, period) => interestOn(place, leftOf(place, period - 1), period),
  };
}

const NOTHING: Range = [0, 0];
const isSame = (a: Place, b: Place): boolean => a.number === b.number && a.slot === b.slot;
const keyOf = (persona: number, slot: number): number => persona * 10 + slot;

/** Places in the table of transfers, by the accounts that they touch. */
const TRANSFERS_OF: ReadonlyMap<number, readonly number[]> = transfersByAccount();

function transfersByAccount(): ReadonlyMap<number, readonly number[]> {
  const byAccount = new Map<number, number[]>();
  TRANSFERS.forEach(({ from, to }, index) => {
    for (const { persona, slot } of [from, to]) {
      const key = keyOf(persona, slot);
      byAccount.set(key, [...(byAccount.get(key) ?? []), index]);
    }
  });
  return byAccount;
}
