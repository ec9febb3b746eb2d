/** A line of facts, of the ledger and of the living bank, and how they change in place. */
import {
  applyChange,
  changeBack,
  createLedger,
  type LedgerChange,
  type LedgerState,
  TRANSIENT_FAMILIES,
  UnderWay,
} from '../ledger/index.js';
import type { BankChange, BankFamily } from './facts.js';
import { looksAt, type Reads } from './looks.js';
import { partitionOfUse, tagOf } from './places.js';
import {
  applyBankChange,
  applyBankText,
  type BankState,
  type BankText,
  bankChangeBack,
  createBankState,
} from './state.js';

/** Kept side by side, with the exchange that made it. */
export type FactChange = LedgerChange | BankChange;
/** As it comes out of a store: what very many are, as text. */
export type StoredFact = FactChange | BankText;
export type Held = FactChange['fact'] | string;
export type ByFamily<T> = Map<FactChange['family'], Map<string, T>>;

/** Facts as they are now, and what those that changed since a snapshot were then. */
export interface Line {
  readonly ledger: LedgerState;
  readonly bank: BankState;
  /** Where what is looked at is noted. */
  readonly reads: Reads | undefined;
  /** null: there is no snapshot to go back to, and nothing is remembered. */
  base: Snapshot | null;
  changed: ByFamily<Held>;
}

export interface Snapshot {
  readonly line: Line;
  readonly at: number;
  /** Of the clock, as whoever took it has it. */
  readonly clock: Readonly<Record<string, unknown>>;
  parent: Snapshot | null;
  /** What it changes of its parent; null where it has none. */
  differs: ByFamily<Difference> | null;
}

export type Difference = readonly [before: Held, after: Held];

const BANK_FAMILIES = {
  bankConsents: true,
  bankAuthorisations: true,
  bankPayments: true,
  bankBodies: true,
  bankCodes: true,
  bankTokens: true,
  bankOutcomes: true,
  bankFaults: true,
  bankAccounts: true,
} as const satisfies Record<BankFamily, true>;

export const isOfBank = (change: FactChange): change is BankChange => isBankFamily(change.family);

export const readStored = (stored: StoredFact): FactChange =>
  'text' in stored
    ? ({ family: stored.family, key: stored.key, fact: JSON.parse(stored.text) } as FactChange)
    : stored;

export const isBankFamily = (family: string): family is BankFamily => Object.hasOwn(BANK_FAMILIES, family);

export function createLine(underWay?: UnderWay, reads?: Reads): Line {
  if (reads === undefined)
    return {
      ledger: createLedger([], undefined, underWay),
      bank: createBankState(),
      reads,
      base: null,
      changed: new Map(),
    };
  const look = (partition: string | null): void => {
    if (partition !== null) reads.into?.add(partition);
  };
  const ledger = createLedger(
    [],
    // What no store keeps is not shared.
    (family) => (TRANSIENT_FAMILIES.has(family) ? undefined : looksAt(reads, family)),
    underWay ?? new UnderWay((key) => look(partitionOfUse(key))),
  );
  const bank = createBankState([], {
    family: (family) => looksAt(reads, family),
    account: (id) => look(tagOf.account(id)),
  });
  return { ledger, bank, reads, base: null, changed: new Map() };
}

export function applyFact({ ledger, bank }: Line, change: FactChange): void {
  if (isOfBank(change)) applyBankChange(bank, change);
  else applyChange(ledger, change);
}

/** What takes a change back, to be asked before it is applied. */
export function factBack({ ledger, bank }: Line, change: FactChange): FactChange {
  return isOfBank(change) ? bankChangeBack(bank, change) : changeBack(ledger, change);
}

/** As a fact is held now: as text, where nobody has asked for it; null where it is none. */
export function heldIn({ ledger, bank }: Line, family: FactChange['family'], key: string): Held {
  return (isBankFamily(family) ? bank[family] : ledger[family]).held(key) ?? null;
}

export function putHeld(line: Line, family: FactChange['family'], key: string, held: Held): void {
  if (typeof held !== 'string') applyFact(line, { family, key, fact: held } as FactChange);
  else if (isBankFamily(family)) applyBankText(line.bank, { family, key, text: held });
}

export function inFamily<T>(facts: ByFamily<T>, family: FactChange['family']): Map<string, T> {
  let found = facts.get(family);
  if (found === undefined) {
    found = new Map();
    facts.set(family, found);
  }
  return found;
}
