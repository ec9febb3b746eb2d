/** The ledger as a value: made from changes, and moved on by them. */
import { moveCreator } from './creators.js';
import type { Ledger, LedgerChange, LedgerFamilies, LedgerFamily, UseFact } from './facts.js';

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
    oddLinks: new Map(),
    creators: { consents: new Map(), payments: new Map() },
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

export function applyChange(ledger: Ledger, change: LedgerChange): void {
  const { family, key, fact } = change;
  const facts = ledger[family] as Map<string, LedgerFamilies[LedgerFamily]>;
  if (family === 'uses') moveUse(ledger, ledger.uses.get(key), fact as UseFact | null);
  if (family === 'consents' || family === 'payments') moveCreator(ledger, family, change);
  // Deleted first, so that the order of a family is the order of its newest changes: the oldest goes first.
  facts.delete(key);
  if (fact !== null) facts.set(key, fact);
}

/** A call of another gateway counts among those under way; one of this gateway does so already. */
function moveUse({ underWay }: Ledger, before: UseFact | undefined, now: UseFact | null): void {
  if (before !== undefined) leaveUse(underWay, before);
  if (now === null) return;
  const { call, at, digest } = now;
  for (const key of now.keys) {
    const uses = underWay.get(key) ?? [];
    if (uses.length === 0) underWay.set(key, uses);
    if (!uses.some((use) => use.call === call)) uses.push({ call, at, digest });
  }
}

export function leaveUse(underWay: Ledger['underWay'], { call, keys }: Pick<UseFact, 'call' | 'keys'>): void {
  for (const key of keys) {
    const left = underWay.get(key)?.filter((use) => use.call !== call) ?? [];
    if (left.length === 0) underWay.delete(key);
    else underWay.set(key, left);
  }
}
