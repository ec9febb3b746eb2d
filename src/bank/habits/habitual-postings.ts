/** Postings as a bank with habits books them: those of the population, told otherwise, and what it books beside them. */
import { createRecentCache } from '../../exchange/index.js';
import { nextBankDay } from '../bank-days.js';
import { exchanged } from '../exchange-rates.js';
import { amountText, decimalsOf } from '../money.js';
import type { Account, Conversion, PendingEntry, Population, Posting } from '../population/population.js';
import { sliceOf } from '../population/slices.js';
import type { AccountDays } from './account-days.js';
import { createDraw, isWithin } from './draws.js';
import type { Habits } from './habits.js';

export interface HabitualPosting extends Posting {
  /** The day on which it is first seen, where that is after its booking. */
  readonly appearsOn?: number;
  /** Of the second of two bookings: the day on which it is reversed. */
  readonly reversedOn?: number;
}

/** Days that are made together, and how far before a day something of it may begin. */
const CHUNK = 32;
const REACH = 14;
const REMEMBERED = 20_000;
/** More than an account of a population has in days that are made together. */
const ALL = 100_000;
const MOST_HELD = 5;
/** What is held is a round sum, in minor units. */
const HELD_STEP = 500;
const ELSEWHERE = ['USD', 'GBP', 'CHF', 'SEK', 'JPY'];

export const chunkOf = (day: number): number => Math.floor(day / CHUNK);

export interface HabitualPostings {
  /** Those of the days that are made together, in the order of booking; seen by now or not. */
  readonly chunk: (account: Account, index: number) => readonly HabitualPosting[];
  readonly between: (account: Account, from: number, to: number) => readonly HabitualPosting[];
  readonly holds: (account: Account, day: number) => readonly PendingEntry[];
  readonly isMintedAnew: (account: string, day: number) => boolean;
}

export function createHabitualPostings(
  population: Population,
  { postings: shares }: Habits,
  seed: number,
  daysOf: (account: Account) => AccountDays,
): HabitualPostings {
  const draw = createDraw(seed);
  const is = (habit: keyof Habits['postings'], id: string) => isWithin(shares[habit], draw(habit, id));
  const remembered = createRecentCache<string, readonly HabitualPosting[]>(
    REMEMBERED,
    ({ length }) => length + 1,
  );

  const told = (posting: Posting, { currency }: Account): HabitualPosting => {
    const { id, amount, bookingDay } = posting;
    const changes: { -readonly [M in keyof HabitualPosting]?: HabitualPosting[M] } = {};
    if (is('noRemittance', id)) changes.remittance = '';
    else if (is('structured', id)) {
      changes.remittance = '';
      changes.structured = structuredReference(draw('reference', id));
    }
    if (is('noCounterparty', id)) changes.counterparty = null;
    if (is('referenceOnly', id)) changes.referenceOnly = true;
    const abroad = ELSEWHERE[draw('currency', id) % ELSEWHERE.length] ?? currency;
    const exchange = isCard(posting) && is('foreign', id) ? exchangeOf(amount, currency, abroad) : undefined;
    if (exchange !== undefined) changes.exchange = exchange;
    if (isOrdinary(posting) && !isCard(posting) && is('backDated', id))
      changes.appearsOn = bookingDay + 1 + (draw('appears', id) % 3);
    return { ...posting, ...changes };
  };

  /** With the second booking and its reversal, where there are these. */
  const booked = (posting: Posting, account: Account): readonly HabitualPosting[] => {
    const one = told(posting, account);
    const { id, amount, bookingDay } = one;
    const isTwice = amount < 0 && isOrdinary(one) && one.appearsOn === undefined && is('reversed', id);
    if (!isTwice) return [one];
    const reversedOn = nextBankDay(bookingDay + 1 + (draw('reversal', id) % 5));
    return [
      one,
      { ...one, id: `${id}-again`, reversedOn },
      {
        ...one,
        ...{ id: `${id}-reversal`, bookingDay: reversedOn, amount: -amount },
        ...{ remittance: `Correctie / Reversal ${id}-again`, bankTransactionCode: 'PMNT-MCOP-ADJT' },
      },
    ];
  };

  const chunk = (account: Account, index: number): readonly HabitualPosting[] => {
    const key = `${account.resourceId} ${index}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const id = account.resourceId;
    const { added } = daysOf(account);
    const [from, to] = [index * CHUNK, index * CHUNK + CHUNK - 1];
    const own = population.postingsPage(id, Math.max(from - REACH, added), to, 0, ALL).toReversed();
    const made = own
      .flatMap((posting) => booked(posting, account))
      .filter(({ bookingDay }) => bookingDay >= from && bookingDay <= to)
      .sort((a, b) => a.bookingDay - b.bookingDay);
    const before = added >= from && added <= to ? population.balance(id, added - 1) : 0;
    const all = before === 0 ? made : [openingOf(account, added, before), ...made];
    remembered.set(key, all);
    return all;
  };

  const between = (account: Account, from: number, to: number) => {
    const all: HabitualPosting[] = [];
    for (let index = chunkOf(from); index <= chunkOf(to); index++) all.push(...chunk(account, index));
    return sliceOf(all, from, to) as readonly HabitualPosting[];
  };

  return {
    chunk,
    between,
    holds: (account, day) =>
      between(account, day + 1, day + MOST_HELD)
        .filter((one) => isCard(one) && one.reversedOn === undefined)
        .toReversed()
        .flatMap((one) => {
          const { id, bookingDay, amount, endToEndId: _, bookingDay: __, ...rest } = one;
          const heldOn = bookingDay - 1 - (draw('held since', id) % MOST_HELD);
          if (heldOn > day) return [];
          const held = -Math.ceil(-amount / HELD_STEP) * HELD_STEP;
          const holds: PendingEntry[] = [];
          if (is('held', id))
            holds.push({
              ...rest,
              id: is('heldOtherId', id) ? `${id}-hold` : id,
              amount: is('heldOtherAmount', id) ? held : amount,
              valueDay: is('heldOtherDate', id) ? heldOn : rest.valueDay,
            });
          if (is('vanishing', id))
            holds.push({ ...rest, id: `${id}-hold-2`, amount: held, valueDay: heldOn });
          return holds;
        }),
    isMintedAnew: (account, day) => isWithin(shares.mintedAnew, draw('mintedAnew', account, day)),
  };
}

const isCard = ({ bankTransactionCode, amount }: Posting): boolean =>
  bankTransactionCode === 'PMNT-CCRD-POSD' && amount < 0;

/** Its other side is not on an account of this bank, where it is told as it is here. */
const isOrdinary = ({ endToEndId }: Posting): boolean => endToEndId === undefined;

const openingOf = ({ resourceId }: Account, day: number, amount: number): HabitualPosting => ({
  id: `${resourceId}-opening`,
  account: resourceId,
  bookingDay: day,
  valueDay: day,
  amount,
  counterparty: null,
  remittance: 'Saldo overgedragen / Balance brought forward',
  bankTransactionCode: 'ACMT-OPCL-ACCO',
});

/** As Belgian banks print it: ten digits, and their remainder by 97. */
function structuredReference(number: number): string {
  const digits = String(number).padStart(10, '0');
  const all = `${digits}${String(number % 97 || 97).padStart(2, '0')}`;
  return `+++${all.slice(0, 3)}/${all.slice(3, 7)}/${all.slice(7)}+++`;
}

/** `amount`: in minor units of the account's currency. undefined where the bank has no rate, or it would be nothing. */
function exchangeOf(amount: number, own: string, currency: string): Conversion | undefined {
  const other = own === currency ? undefined : exchanged(Math.abs(amount), own, currency, 'nearest');
  return other === undefined || other === 0 ? undefined : conversionOf(amount, own, other, currency);
}

export function conversionOf(amount: number, own: string, other: number, currency: string): Conversion {
  const units = (minor: number, of: string) => Math.abs(minor) / 10 ** decimalsOf(of);
  return {
    currency,
    amount: amountText(Math.abs(other), currency),
    rate: (units(amount, own) / units(other, currency)).toFixed(5),
  };
}
