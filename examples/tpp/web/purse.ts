/** The application without its pages: its users, and what each of them has at the bank. */
import { Problem } from '../connection.js';
import { createLinkedBank, type LinkedBank, type LinkedBankParts } from './linked-bank.js';
import { createUsers, type Users } from './users.js';

export interface Purse {
  readonly users: Users;
  readonly bankOf: (user: string) => LinkedBank;
  readonly banks: () => readonly LinkedBank[];
  /** Reads all without the users; gives what went wrong. */
  readonly sync: () => Promise<readonly string[]>;
  /** The bank has told something of this payment. */
  readonly notified: (reference: string) => Promise<void>;
  /** Of what its users have. */
  readonly forget: () => void;
}

/** `users`: names and passwords. */
export function createPurse(parts: LinkedBankParts, users: Readonly<Record<string, string>>): Purse {
  const banks = new Map<string, LinkedBank>();
  return {
    users: createUsers(users),
    bankOf: (user) => {
      const known = banks.get(user) ?? createLinkedBank(parts);
      banks.set(user, known);
      return known;
    },
    banks: () => [...banks.values()],
    sync: async () => {
      const problems = new Set<string>();
      // One after the other: the bank has other customers too.
      for (const { read, orders } of banks.values())
        for (const one of await Promise.allSettled([read(), orders.refresh()])) {
          if (one.status === 'fulfilled') continue;
          if (!(one.reason instanceof Problem)) throw one.reason;
          problems.add(one.reason.message);
        }
      return [...problems];
    },
    notified: async (reference) => {
      for (const { orders } of banks.values()) await orders.refreshOne(reference);
    },
    forget: () => banks.clear(),
  };
}
