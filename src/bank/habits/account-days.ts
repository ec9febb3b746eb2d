/** The days on which something happens to an account by itself. */

import { createRecentCache } from '../../exchange/index.js';
import { dayOfDate } from '../bank-days.js';
import { ibanAt, placeOfIban } from '../population/identity.js';
import type { Account, Population } from '../population/population.js';
import { createDraw, isWithin } from './draws.js';
import { CALM, type Habits } from './habits.js';

/** The first such day; infinite where it never comes. */
export interface AccountDays {
  readonly closed: number;
  readonly blocked: readonly number[];
  readonly added: number;
  readonly ibanChanged: number;
  readonly ownershipEnded: number;
}

const NEVER = Number.POSITIVE_INFINITY;
export const NO_DAYS: AccountDays = {
  closed: NEVER,
  blocked: [],
  added: Number.NEGATIVE_INFINITY,
  ibanChanged: NEVER,
  ownershipEnded: NEVER,
};

/** The years in which accounts have habits: those before belong to what was always so. */
const [FIRST_YEAR, YEARS] = [2026, 75];
export const BLOCKED_DAYS = 14;
const REMEMBERED = 20_000;

export function createAccountDays({ accounts }: Habits, population: Population, seed: number) {
  const draw = createDraw(seed);
  const known = createRecentCache<string, AccountDays>(REMEMBERED, () => 1);
  const daysOf = (habit: keyof AccountDays, id: string): number[] => {
    const days: number[] = [];
    if (accounts[habit] === 0) return days;
    for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year++)
      if (isWithin(accounts[habit], draw(habit, id, year)))
        days.push(dayOfDate(year, 1, 1) + (draw('day', habit, id, year) % 365));
    return days;
  };
  const made = ({ resourceId: id, owners, iban }: Account): AccountDays => {
    const first = (habit: keyof AccountDays) => daysOf(habit, id)[0];
    const isFirst = population.accountsOf(owners[0] ?? '')[0]?.resourceId === id;
    return {
      closed: first('closed') ?? NEVER,
      blocked: daysOf('blocked', id),
      added: (isFirst ? undefined : first('added')) ?? NO_DAYS.added,
      ibanChanged: (placeOfIban(iban) === undefined ? undefined : first('ibanChanged')) ?? NEVER,
      ownershipEnded: (owners.length > 1 ? first('ownershipEnded') : undefined) ?? NEVER,
    };
  };
  const isCalm = Object.entries(accounts).every(
    ([habit, share]) => share === CALM.accounts[habit as 'closed'],
  );
  return (account: Account): AccountDays => {
    if (isCalm) return NO_DAYS;
    const before = known.get(account.resourceId);
    if (before !== undefined) return before;
    const days = made(account);
    known.set(account.resourceId, days);
    return days;
  };
}

/** Among the numbers that no PSU of a seed has. */
const FURTHER_SLOTS = 5;

/** The IBAN that an account of a seed has once it changes by itself; and the one that it had before. */
export const nextIban = (iban: string): string | undefined => moved(iban, FURTHER_SLOTS);
export const ibanBefore = (iban: string): string | undefined => moved(iban, -FURTHER_SLOTS);

function moved(iban: string, by: number): string | undefined {
  const place = placeOfIban(iban);
  if (place === undefined) return undefined;
  const slot = place.slot + by;
  return slot >= 1 && slot <= 9 ? ibanAt({ ...place, slot }) : undefined;
}
