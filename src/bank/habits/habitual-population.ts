/** A population as it is at a moment: with what operators did to accounts, and in a bank with habits with what happens by itself. */
import { bankDayAt } from '../../spec/index.js';
import { ALIAS_DAYS } from '../account-steering.js';
import type { LivingPopulation } from '../books.js';
import type { BankAccount, HandBooking } from '../facts.js';
import { bankNameOf } from '../names.js';
import { numberFrom } from '../population/draw.js';
import type { Account, PendingEntry, Population, Posting } from '../population/population.js';
import { sliceOf, sumOf } from '../population/slices.js';
import type { BankView } from '../state.js';
import {
  type AccountDays,
  BLOCKED_DAYS,
  createAccountDays,
  ibanBefore,
  NO_DAYS,
  nextIban,
} from './account-days.js';
import { createDraws } from './draws.js';
import { CALM, type Habits } from './habits.js';
import { chunkOf, createHabitualPostings, type HabitualPosting } from './habitual-postings.js';

/** A reversal, or an entry that appears late, is no further from what it belongs to. */
const REACH = 14;

export function createHabitualPopulation(
  population: Population,
  habits: Habits = CALM,
  seed = population.seed ?? 0,
): LivingPopulation {
  const isCalm = habits === CALM;
  const daysOf = createAccountDays(habits, population, seed);
  const postings = createHabitualPostings(population, habits, seed, daysOf);
  const parts = { population, habits, isCalm, daysOf, postings };
  const at = (state: BankView, now: number, seenBy = Number.POSITIVE_INFINITY): LivingPopulation => ({
    ...populationAt(parts, state, now, seenBy),
    ...always,
  });
  const always = { at, ...(isCalm ? {} : { draws: createDraws(habits, seed) }) };
  return { ...population, ...always };
}

interface Parts {
  readonly population: Population;
  readonly habits: Habits;
  readonly isCalm: boolean;
  readonly daysOf: (account: Account) => AccountDays;
  readonly postings: ReturnType<typeof createHabitualPostings>;
}

/** An account with all that decides on its books. */
interface Kept {
  readonly account: Account;
  readonly fact: BankAccount | undefined;
  readonly days: AccountDays;
  /** The last day on which anything is booked. */
  readonly until: number;
}

function populationAt(
  { population, habits, isCalm, daysOf, postings }: Parts,
  state: BankView,
  now: number,
  seenBy: number,
): Population {
  const today = bankDayAt(now);
  const seenOn = Math.min(today, seenBy === Number.POSITIVE_INFINITY ? today : bankDayAt(seenBy));

  const shown = (account: Account | undefined): Account | undefined => {
    if (account === undefined) return undefined;
    const fact = state.bankAccounts.get(account.resourceId);
    const days = daysOf(account);
    if (isCalm && fact === undefined) return account;
    if (days.added > today) return undefined;
    const isBlocked = days.blocked.some((day) => today >= day && today < day + BLOCKED_DAYS);
    const byItself = today >= days.closed ? 'deleted' : isBlocked ? 'blocked' : account.status;
    const isBusiness = account.usage === 'ORGA' && account.owners.length > 1;
    return {
      ...account,
      status: fact?.status ?? byItself,
      iban: fact?.iban ?? ((today >= days.ibanChanged && nextIban(account.iban)) || account.iban),
      owners: today >= days.ownershipEnded ? account.owners.slice(0, 1) : account.owners,
      ...(isBusiness && habits.accounts.twoSignatories > 0 ? { signatories: 2 } : {}),
    };
  };

  const account = (id: string): Account | undefined => shown(population.account(id));
  const accountByIban = (iban: string): Account | undefined => {
    for (const fact of state.bankAccounts.all(bankNameOf.iban(iban)))
      if (fact.iban === iban || fact.formerIbans?.some((one) => one.iban === iban && one.until > now))
        return account(fact.id);
    const own = population.accountByIban(iban);
    const before = own === undefined && !isCalm ? ibanBefore(iban) : undefined;
    const found = own ?? (before === undefined ? undefined : population.accountByIban(before));
    const named = shown(found);
    if (found === undefined || named === undefined || named.iban === iban) return named;
    // One that an operator took from it is found above, as long as it leads there.
    const isAlias = state.bankAccounts.get(found.resourceId)?.iban === undefined && own !== undefined;
    return isAlias && today < daysOf(found).ibanChanged + ALIAS_DAYS ? named : undefined;
  };

  /** undefined: its books are those of the population itself. */
  const kept = (id: string): Kept | undefined => {
    const fact = state.bankAccounts.get(id);
    if (isCalm && fact === undefined) return undefined;
    const found = population.account(id);
    if (found === undefined) return undefined;
    const days = isCalm ? NO_DAYS : daysOf(found);
    const closed = fact?.status === undefined ? days.closed : (fact.closedOn ?? Number.POSITIVE_INFINITY);
    return { account: found, fact, days, until: Math.min(today, closed) };
  };

  const isSeen = ({ appearsOn = 0 }: HabitualPosting): boolean => appearsOn <= seenOn;
  const handEntries = ({ account: { resourceId }, fact }: Kept): Posting[] =>
    (fact?.bookings ?? [])
      .filter((one) => one.at <= seenBy && isBooked(one))
      .map((one) => handEntry(one, resourceId, Math.min(one.day ?? today, today)));
  /** What an operator booked stays booked where the clock was set back. */
  const isBooked = ({ at, day }: HandBooking): boolean =>
    day !== null && day <= Math.max(today, at > now ? bankDayAt(at) : today);

  /** Of days that are made together, those that are booked by now, in the order of booking. */
  const chunk = (of: Kept, index: number): readonly Posting[] => {
    const made = postings.chunk(of.account, index);
    const isNew = index >= chunkOf(seenOn - REACH);
    const booked = sliceOf(isNew ? made.filter(isSeen) : made, Number.NEGATIVE_INFINITY, of.until);
    const byHand = handEntries(of).filter(({ bookingDay }) => chunkOf(bookingDay) === index);
    return byHand.length === 0 ? booked : [...booked, ...byHand].sort((a, b) => a.bookingDay - b.bookingDay);
  };
  function* backwards(of: Kept, from: number, to: number): Generator<readonly Posting[]> {
    const first = chunkOf(Math.max(from, Math.min(of.account.openedOn, firstByHand(of))));
    for (let index = chunkOf(Math.min(to, today)); index >= first; index--)
      yield sliceOf(chunk(of, index), from, to);
  }
  const firstByHand = ({ fact }: Kept): number =>
    Math.min(...(fact?.bookings ?? []).map(({ day }) => day ?? today));

  const balance = (id: string, day: number): number => {
    const of = kept(id);
    if (of === undefined) return population.balance(id, day);
    const byHand = sumOf(handEntries(of).filter(({ bookingDay }) => bookingDay <= day));
    const last = Math.min(day, of.until);
    if (last < of.days.added) return byHand;
    const near = isCalm ? [] : postings.between(of.account, last - REACH, last);
    const unsettled = near.filter(({ reversedOn = 0 }) => reversedOn > last);
    return (
      population.balance(id, last) + sumOf(unsettled) - sumOf(near.filter((one) => !isSeen(one))) + byHand
    );
  };

  const told = (posting: Posting): Posting =>
    isCalm || !postings.isMintedAnew(posting.account, posting.bookingDay)
      ? posting
      : { ...posting, id: `${posting.id}-${deliveryAt(now)}` };

  return {
    ...population,
    account,
    accountByIban,
    accountsOf: (psu) =>
      population.accountsOf(psu).flatMap((one) => {
        const found = shown(one);
        return found?.owners.includes(psu) === true ? found : [];
      }),
    postings: (id, day) => {
      const of = kept(id);
      return of === undefined ? population.postings(id, day) : sliceOf(chunk(of, chunkOf(day)), day, day);
    },
    balance,
    countPostings: (id, from, to) => {
      const of = kept(id);
      if (of === undefined) return population.countPostings(id, from, to);
      let count = 0;
      for (const some of backwards(of, from, to)) count += some.length;
      return count;
    },
    postingsPage: (id, from, to, offset, limit) => {
      const of = kept(id);
      if (of === undefined) return population.postingsPage(id, from, to, offset, limit);
      const page: Posting[] = [];
      let skip = offset;
      for (const some of backwards(of, from, to)) {
        for (let i = some.length - 1 - skip; i >= 0; i--) {
          if (page.length === limit) return page;
          page.push(told(some[i] as Posting));
        }
        skip = Math.max(0, skip - some.length);
      }
      return page;
    },
    holds: (id, day) => {
      const of = kept(id);
      if (of === undefined) return [];
      const byHand = (of.fact?.bookings ?? []).filter((one) => !isBooked(one));
      const byItself = isCalm || of.until < day || day < of.days.added ? [] : postings.holds(of.account, day);
      return [...byHand.map((one) => pendingByHand(one, id, day)).toReversed(), ...byItself];
    },
    varies: (id) => !isCalm || state.bankAccounts.get(id) !== undefined,
  };
}

const deliveryAt = (now: number): string =>
  numberFrom(Math.floor(now / 2 ** 32), (now % 2 ** 32) | 0).toString(36);

function pendingByHand(
  { id, day, amount, text, exchange }: HandBooking,
  account: string,
  today: number,
): PendingEntry {
  return {
    ...{ id, account, amount, valueDay: day ?? today, counterparty: null, remittance: text },
    bankTransactionCode: amount < 0 ? 'PMNT-MDOP-ADJT' : 'PMNT-MCOP-ADJT',
    ...(exchange === undefined ? {} : { exchange }),
  };
}

const handEntry = (one: HandBooking, account: string, bookingDay: number): Posting => ({
  ...pendingByHand(one, account, bookingDay),
  bookingDay,
});
