/** Steering of accounts by an operator, who books, closes, blocks, or gives one another IBAN. */
import { bankDayAt, DAY_MS, dayOf } from '../spec/index.js';
import type { Books } from './books.js';
import { exchanged } from './exchange-rates.js';
import type { BankAccount, BankChange, HandBooking } from './facts.js';
import { numberOfText } from './habits/draws.js';
import { conversionOf } from './habits/habitual-postings.js';
import { minorUnits } from './money.js';
import { numberFrom } from './population/draw.js';
import { ownBankIban } from './population/identity.js';
import type { Account } from './population/population.js';

export const ACCOUNT_ACTIONS = ['close', 'reopen', 'block', 'unblock'] as const;
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number];

/** The statuses that each changes, and into which. */
const MOVES = {
  close: [['enabled', 'blocked'], 'deleted'],
  reopen: [['deleted'], 'enabled'],
  block: [['enabled'], 'blocked'],
  unblock: [['blocked'], 'enabled'],
} as const satisfies Record<AccountAction, readonly [readonly Account['status'][], Account['status']]>;

export const isPossible = ({ status }: Account, action: AccountAction): boolean =>
  (MOVES[action][0] as readonly string[]).includes(status);

/** `account`: as it is now; the action is possible in its status. */
export function steerAccount(books: Books, account: Account, action: AccountAction, now: number): BankChange {
  const { closedOn: _, ...fact } = factOf(books, account);
  const status = MOVES[action][1];
  return accountChange({ ...fact, status, ...(status === 'deleted' ? { closedOn: bankDayAt(now) } : {}) });
}

/** So long an old IBAN leads to its account, in days. */
export const ALIAS_DAYS = 90;
const MOST_FORMER = 5;

/** `iban` absent: the next one that nobody has. A text says why it cannot be. */
export function changeIban(
  books: Books,
  account: Account,
  iban: string | undefined,
  now: number,
): BankChange | string {
  const fact = factOf(books, account);
  const wanted = iban ?? freeIban(books, account, fact);
  if (books.population.accountByIban(wanted) !== undefined)
    return `The IBAN ${wanted} is that of an account.`;
  const former = [...(fact.formerIbans ?? []), { iban: account.iban, until: now + ALIAS_DAYS * DAY_MS }];
  return accountChange({ ...fact, iban: wanted, formerIbans: former.slice(-MOST_FORMER) });
}

function freeIban({ population }: Books, { resourceId }: Account, { formerIbans = [] }: BankAccount): string {
  for (let next = formerIbans.length; ; next++) {
    const iban = ownBankIban(numberFrom(numberOfText(resourceId), next));
    if (population.accountByIban(iban) === undefined) return iban;
  }
}

/** A booking as an operator words it: `amount` below zero takes from the account; `date`: YYYY-MM-DD. */
export interface WantedBooking {
  readonly amount: string;
  readonly currency?: string | undefined;
  readonly text: string;
  readonly pending?: boolean | undefined;
  readonly date?: string | undefined;
}

/** Of one account: its fact is written anew with each. */
const MOST_BOOKINGS = 200;

/** A text says why it cannot be. */
export function bookByHand(
  books: Books,
  account: Account,
  { amount, currency = account.currency, text, pending = false, date }: WantedBooking,
  now: number,
): BankChange | string {
  const fact = factOf(books, account);
  if (account.status === 'deleted') return 'Nothing is booked on a closed account: reopen it.';
  if (fact.bookings.length >= MOST_BOOKINGS)
    return `An account takes ${MOST_BOOKINGS} bookings by hand: reset the bank, or use another account.`;
  const given = minorUnits(amount, currency);
  if (given === undefined || given === 0) return `${amount} is no amount of ${currency}.`;
  const own = exchanged(Math.abs(given), currency, account.currency, 'nearest');
  if (own === undefined || own === 0)
    return `The bank does not exchange ${amount} ${currency} to ${account.currency}.`;
  const today = bankDayAt(now);
  const day = date === undefined ? (pending ? null : today) : dayOf(Date.parse(date));
  if (day !== null && day < account.openedOn)
    return `The account has books from ${dayText(account.openedOn)} on.`;
  if (day !== null && day > today && !pending)
    return 'What is booked on a later day is pending until then: add pending.';
  if (day !== null && day <= today && pending) return 'What is pending is booked on a later day, or on none.';
  const booking: HandBooking = {
    id: `${account.resourceId}-hand-${fact.bookings.length + 1}`,
    at: now,
    day,
    amount: given < 0 ? -own : own,
    text,
    ...(currency === account.currency
      ? {}
      : { exchange: conversionOf(own, account.currency, given, currency) }),
  };
  return accountChange({ ...fact, bookings: [...fact.bookings, booking] });
}

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const factOf = ({ state }: Books, { resourceId }: Account): BankAccount =>
  state.bankAccounts.get(resourceId) ?? { id: resourceId, bookings: [] };

const accountChange = (fact: BankAccount): BankChange => ({ family: 'bankAccounts', key: fact.id, fact });
