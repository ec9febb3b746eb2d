/** Which changes of the ledger a store keeps. */
import { type LedgerChange, TRANSIENT_FAMILIES } from '../ledger/index.js';

/** Without those of families that are not kept; of several for one key the last, in the order of these last ones. */
export function keptChanges(changes: readonly LedgerChange[]): Iterable<LedgerChange> {
  if (changes.length === 1) return changes.filter(isKept);
  const last = new Map<string, LedgerChange>();
  for (const change of changes) {
    if (!isKept(change)) continue;
    const name = `${change.family} ${change.key}`;
    // Deleted first: the order is that of the last changes.
    last.delete(name);
    last.set(name, change);
  }
  return last.values();
}

const isKept = ({ family }: LedgerChange): boolean => !TRANSIENT_FAMILIES.has(family);
