/** A population that was listed: PSUs, accounts and postings as somebody wrote them down. */
import type { Account, Population, Posting, Psu } from './population.js';
import { firstFrom } from './slices.js';

export interface Listed {
  readonly psus: readonly Psu[];
  readonly accounts: readonly Account[];
  /** Of these accounts, in any order; those of one day are booked in the order in which they stand. */
  readonly postings: readonly Posting[];
}

interface Book {
  /** Oldest first. */
  readonly postings: readonly Posting[];
  /** The balance after each. */
  readonly balances: readonly number[];
}

/** Ids, logins and IBANs are each there once, and owners and accounts that are named are listed: the reader of the files sees to it. */
export function createListedPopulation({ psus, accounts, postings }: Listed): Population {
  const byId = new Map(psus.map((psu) => [psu.id, psu]));
  const byLogin = new Map(psus.map((psu) => [psu.login, psu]));
  const byResourceId = new Map(accounts.map((account) => [account.resourceId, account]));
  const byIban = new Map(accounts.map((account) => [account.iban, account]));
  // Their own first, then what they have with somebody who opened it.
  const byOwner = grouped([
    ...accounts.map((account) => [account.owners[0] ?? '', account] as const),
    ...accounts.flatMap((account) => account.owners.slice(1).map((owner) => [owner, account] as const)),
  ]);
  const books = booksOf(postings);

  const between = (account: string, from: number, to: number) => {
    const { postings: all } = books.get(account) ?? EMPTY;
    return { all, first: firstFrom(all, from), after: firstFrom(all, to + 1) };
  };
  const count = (account: string, from: number, to: number): number => {
    const { first, after } = between(account, from, to);
    return Math.max(0, after - first);
  };
  return {
    seed: null,
    count: psus.length,
    psus: (from, limit) => psus.slice(from, from + limit),
    psu: (id) => byId.get(id),
    psuByLogin: (login) => byLogin.get(login),
    accountsOf: (psu) => byOwner.get(psu) ?? [],
    account: (resourceId) => byResourceId.get(resourceId),
    accountByIban: (iban) => byIban.get(iban),
    postings: (account, day) => {
      const { all, first, after } = between(account, day, day);
      return all.slice(first, after);
    },
    balance: (account, day) => {
      const { postings: all, balances } = books.get(account) ?? EMPTY;
      return balances[firstFrom(all, day + 1) - 1] ?? 0;
    },
    countPostings: count,
    postingsPage: (account, from, to, offset, limit) => {
      const { all, first, after } = between(account, from, to);
      const newest = after - offset;
      return all.slice(Math.max(first, newest - limit), Math.max(first, newest)).reverse();
    },
  };
}

const EMPTY: Book = { postings: [], balances: [] };

function booksOf(postings: readonly Posting[]): ReadonlyMap<string, Book> {
  const byAccount = grouped(postings.map((posting) => [posting.account, posting]));
  const books = new Map<string, Book>();
  for (const [account, own] of byAccount) {
    own.sort((a, b) => a.bookingDay - b.bookingDay);
    let balance = 0;
    const balances = own.map(({ amount }) => {
      balance += amount;
      return balance;
    });
    books.set(account, { postings: own, balances });
  }
  return books;
}

function grouped<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, value] of pairs) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
