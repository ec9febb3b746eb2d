/** The ledger as a value: made from changes, and moved on by them. */
import type { Ledger, LedgerChange, LedgerFamilies, LedgerFamily } from './facts.js';

export function createLedger(changes: Iterable<LedgerChange> = []): Ledger {
  const ledger: Ledger = {
    consents: new Map(),
    payments: new Map(),
    authorisations: new Map(),
    authorizes: new Map(),
    codes: new Map(),
    tokens: new Map(),
    refreshTokens: new Map(),
    accesses: new Map(),
    usedOnce: new Map(),
    requestIds: new Map(),
    polls: new Map(),
    underWay: new Map(),
    oddLinks: new WeakMap(),
    links: new Map(),
    uses: new Map(),
  };
  applyChanges(ledger, changes);
  return ledger;
}

/** What takes a change back, to be asked before it is applied; a fact comes back as the newest of its family. */
export function changeBack(ledger: Ledger, { family, key }: LedgerChange): LedgerChange {
  return { family, key, fact: ledger[family].get(key) ?? null };
}

/** Moves the ledger on in place. */
export function applyChanges(ledger: Ledger, changes: Iterable<LedgerChange>): void {
  for (const change of changes) applyChange(ledger, change);
}

export function applyChange(ledger: Ledger, { family, key, fact }: LedgerChange): void {
  const facts = ledger[family] as Map<string, LedgerFamilies[LedgerFamily]>;
  // Deleted first, so that the order of a family is the order of its newest changes: the oldest goes first.
  facts.delete(key);
  if (fact !== null) facts.set(key, fact);
}
