/** The ledger as a value: made from changes, and moved on by them. */
import type { LedgerChange, LedgerFamilies, LedgerFamily, LedgerState, UseFact } from './facts.js';
import { FactFamily, type Looks, UnderWay } from './family.js';
import { INDEXES } from './keys.js';

export function createLedger(
  changes: Iterable<LedgerChange> = [],
  looksAt?: (family: LedgerFamily) => Looks | undefined,
  underWay = new UnderWay(),
): LedgerState {
  const family = <F extends LedgerFamily>(name: F) =>
    new FactFamily<LedgerFamilies[F]>(INDEXES[name], looksAt?.(name));
  const ledger: LedgerState = {
    consents: family('consents'),
    payments: family('payments'),
    authorisations: family('authorisations'),
    authorizes: family('authorizes'),
    codes: family('codes'),
    tokens: family('tokens'),
    refreshTokens: family('refreshTokens'),
    accesses: family('accesses'),
    usedOnce: family('usedOnce'),
    requestIds: family('requestIds'),
    polls: family('polls'),
    links: family('links'),
    uses: family('uses'),
    dropped: family('dropped'),
    underWay,
    oddLinks: new Map(),
  };
  applyChanges(ledger, changes);
  return ledger;
}

/** Gives the change that takes one back; to be asked before that is applied. A fact comes back as the newest of its family. */
export function changeBack(ledger: LedgerState, { family, key }: LedgerChange): LedgerChange {
  return { family, key, fact: ledger[family].peek(key) ?? null };
}

export function applyChanges(ledger: LedgerState, changes: Iterable<LedgerChange>): void {
  for (const change of changes) applyChange(ledger, change);
}

export function applyChange(ledger: LedgerState, { family, key, fact }: LedgerChange): void {
  if (family === 'uses') moveUse(ledger, ledger.uses.peek(key), fact as UseFact | null);
  const facts = ledger[family] as FactFamily<LedgerFamilies[LedgerFamily]>;
  if (fact === null) facts.drop(key);
  else facts.put(key, fact);
}

/** A call of another gateway counts among those under way; one of this gateway does so already. */
function moveUse({ underWay }: LedgerState, before: UseFact | undefined, now: UseFact | null): void {
  if (before !== undefined) underWay.leave(before);
  if (now === null) return;
  const { call, at, digest } = now;
  for (const key of now.keys) underWay.enter(key, { call, at, digest });
}
